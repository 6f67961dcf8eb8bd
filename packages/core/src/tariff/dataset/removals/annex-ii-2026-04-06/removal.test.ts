import { describe, expect, it } from 'vitest';
import { compare } from '../../../history/compare.ts';
import { DATASET } from '../../dataset.ts';

const { removed } = DATASET.removals.find(({ id }) => id === 'annex-ii-2026-04-06')!;
const named = Object.entries(removed).flatMap(([metal, provisions]) => provisions!.map(hts => `${metal} ${hts}`));

describe('Annex II of Proclamation 11021', () => {
  it('removes 127 steel and 120 aluminum listings for 165 provisions', () => {
    expect([removed.steel!.length, removed.aluminum!.length]).toEqual([127, 120]);
    expect(new Set([...removed.steel!, ...removed.aluminum!]).size).toBe(165);
  });

  it('matches the list changes, except for seven listings that are only in the annex and five that are only in the list changes', () => {
    const gone = compare('2026-04-05', '2026-04-06', ['steel', 'aluminum']).removed.filter(
      change => change.still_covered === 'no',
    );
    const name = (change: { program: string; hts: string }) => `${change.program} ${change.hts}`;
    expect(gone.filter(change => !change.removed_by).map(name)).toEqual([
      'aluminum 3004.90.92.44', // The annex lists the renumbered code, which has the suffix .51.
      'steel 3004.90.92.44',
      'aluminum 8415.90.80.25', // The annex omits this number, which was deleted from the HTS on 2026-02-01.
      'aluminum 9401.99.90.30', // The annex lists 9401.99.90.81, which these two numbers replaced.
      'aluminum 9401.99.90.70',
    ]);
    const listed = new Set(gone.map(change => name(change).replace(/(\d{4}\.\d\d\.\d\d)\.00$/, '$1')));
    expect(named.filter(entry => !listed.has(entry.replace(/(\d{4}\.\d\d\.\d\d)\.00$/, '$1')))).toEqual([
      'steel 3004.90.92.51',
      'steel 7323.91.50.20', // This number was never on the HTS lists.
      'steel 7323.91.50.40',
      'steel 7323.92.00.20',
      'steel 7323.92.00.40',
      'aluminum 3004.90.92.51',
      'aluminum 9401.99.90.81',
    ]);
  });
});
