import { describe, expect, it } from 'vitest';
import { monthsOf, unitOf, yearsOf } from './age.ts';

describe('ages in the certificate form', () => {
  it('includes the entire last year if an upper limit is in years', () => {
    expect([monthsOf('2', 'years', false), monthsOf('5', 'years', true)]).toEqual([24, 71]);
    expect([monthsOf('18', 'months', false), monthsOf('36', 'months', true)]).toEqual([18, 36]);
  });

  it('shows the number of years that the merchant entered', () => {
    for (const isUpper of [false, true])
      for (let age = 1; age <= 100; age++) {
        const months = Number(monthsOf(`${age}`, 'years', isUpper));
        expect([unitOf(months, isUpper), yearsOf(months, isUpper)]).toEqual(['years', age]);
      }
    expect([unitOf(6, false), unitOf(11, true), unitOf(30, false), unitOf(36, true)]).toEqual(Array(4).fill('months'));
  });

  it('keeps text that isn’t a whole number, so that validation can report it', () => {
    for (const typed of ['', '-3', '2.5', 'three', '1e3']) expect(monthsOf(typed, 'years', false)).toBe(typed);
  });
});
