import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ga4Contract, metaContract } from './contracts.ts';
import { nearestName, nearestNames } from './nearest-name.ts';

const META = Object.keys(metaContract.events);
const GA4 = Object.keys(ga4Contract.events);

describe('nearestName', () => {
  it.each([
    ['Purchse', META, 'Purchase'],
    ['AddToCard', META, 'AddToCart'],
    ['add-to-cart', META, 'AddToCart'],
    ['initiatecheckout', META, 'InitiateCheckout'],
    ['add_to_chart', GA4, 'add_to_cart'],
    ['purhcase', GA4, 'purchase'],
    ['beginCheckout', GA4, 'begin_checkout'],
  ])('returns the known name for the misspelled name %s', (name, known, meant) => {
    expect(nearestName(name, known)).toBe(meant);
  });

  it.each(['login', 'search', 'newsletter', 'view_category', '75% Page Scroll', 'x'.repeat(10_000), ''])(
    'returns null for a name that isn’t similar to any known name: %.20s',
    name => {
      expect(nearestName(name, GA4)).toBeNull();
    },
  );

  it('returns null for a known name', () => {
    for (const name of GA4) expect(nearestName(name, GA4)).toBeNull();
  });

  it('finds a long name even if one letter is missing', () => {
    const long = [...META, ...GA4].filter(name => name.length >= 12);
    fc.assert(
      fc.property(fc.constantFrom(...long), fc.nat(), (name, at) => {
        const index = at % name.length;
        const list = META.includes(name) ? META : GA4;
        const shorter = name.slice(0, index) + name.slice(index + 1);
        fc.pre(!list.includes(shorter));
        expect(nearestName(shorter, list)).toBe(name);
      }),
    );
  });

  it('compares only the first 200 different names on a page, and still recognizes those names later', () => {
    const nearestTo = nearestNames(META);
    const first = Array.from({ length: 200 }, (_, index) => (index === 0 ? 'Purchse' : `custom${index}`));
    expect(first.map(nearestTo)).toEqual(['Purchse', ...Array(199).fill(null)].map(name => name && 'Purchase'));
    expect(nearestTo('AddToCard')).toBeNull();
    expect(nearestTo('Purchse')).toBe('Purchase');
  });
});
