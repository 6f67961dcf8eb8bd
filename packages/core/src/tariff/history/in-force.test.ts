import { describe, expect, it } from 'vitest';
import { DATASET } from '../dataset/dataset.ts';
import { ALL_PROGRAMS } from '../dataset/programs.ts';
import { listsInForce } from './in-force.ts';

describe('listsInForce', () => {
  it('counts each listing once in its program’s total and once in its list’s count', () => {
    for (const date of ['2018-03-23', '2025-06-23', '2026-04-06', '2026-10-01']) {
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

  it('returns no lists before the first program takes effect, and counts listings from the day that an act adds them', () => {
    expect(listsInForce('2018-03-22').lists).toEqual([]);
    const steel = (date: string) => listsInForce(date).programs.find(({ program }) => program === 'steel')!;
    expect(steel('2018-03-23').articles).toBeGreaterThan(0);
    expect(steel('2020-02-07').derivatives).toBe(0);
    expect(steel('2020-02-08').derivatives).toBeGreaterThan(0);
  });

  it('returns the sources, and warns if the lists aren’t current through the given date', () => {
    const { known_through } = DATASET;
    const { sources, notice } = listsInForce(known_through);
    expect(notice).toBeNull();
    expect(sources.p11021?.reading).toBe('official');
    expect(listsInForce('9999-12-31')).toMatchObject({ known_through, notice: expect.stringContaining(known_through) });
  });

  it('rejects an invalid date', () => {
    expect(() => listsInForce('2026-02-29')).toThrow(/calendar date/);
    expect(() => listsInForce('2026-02-29')).toThrow(expect.objectContaining({ option: 'asOf' }));
  });
});
