import { describe, expect, it } from 'vitest';
import { ALL_PROGRAMS } from '../edition/programs.ts';
import { listsInForce } from './in-force.ts';

describe('the lists in force', () => {
  it('count each listing once by program and once by list', () => {
    for (const date of ['2018-03-23', '2025-06-23', '2026-04-06', '2026-10-09']) {
      const { programs, lists } = listsInForce(date);
      expect(programs.map(({ program }) => program)).toEqual(ALL_PROGRAMS);
      for (const { program, articles, derivatives } of programs) {
        const sum = (role: string) =>
          lists
            .filter(list => list.program === program && list.role === role)
            .reduce((all, { listings }) => all + listings, 0);
        expect([program, articles, derivatives]).toEqual([program, sum('article'), sum('derivative')]);
      }
    }
  });

  it('are none before the first program, and grow by the dates of the acts', () => {
    expect(listsInForce('2018-03-22').lists).toEqual([]);
    const steel = (date: string) => listsInForce(date).programs.find(({ program }) => program === 'steel')!;
    expect(steel('2018-03-23').articles).toBeGreaterThan(0);
    expect(steel('2020-02-07').derivatives).toBe(0);
    expect(steel('2020-02-08').derivatives).toBeGreaterThan(0);
  });

  it('name sources for themselves, and say when they may have changed', () => {
    const { sources, known_through, notice } = listsInForce('2026-10-09');
    expect(notice).toBeNull();
    expect(sources.p11021?.reading).toBe('official');
    expect(known_through).toBe('2026-10-09');
    expect(listsInForce('2026-10-10').notice).toContain('2026-10-09');
  });

  it('need a calendar date', () => {
    expect(() => listsInForce('2026-02-29')).toThrow(/calendar date/);
    expect(() => listsInForce('2026-02-29')).toThrow(expect.objectContaining({ option: 'asOf' }));
  });
});
