import { describe, expect, it } from 'vitest';
import { matchedDigits, parseHtsCode } from '../../nomenclature/hts-code.ts';
import { EDITION } from '../edition.ts';
import { listingOn, PROVISIONS } from '../provisions.ts';

/** A submitted code and a date. */
type On = readonly [code: string, date: string];

/**
 * Proves a list against what its official text says, stated here once more and not taken from `list.json`.
 *
 * @param id the list, the name of its folder
 * @param official how many provisions are in force on a date; codes that it covers on a date; codes that it does not
 */
export function describeList(
  id: string,
  official: { counts: Record<string, number>; covers: readonly On[]; leaves: readonly On[] },
): void {
  const provisions = PROVISIONS.filter(provision => provision.list.id === id);
  const covers = ([code, date]: On) => {
    const parsed = parseHtsCode(code);
    if (!parsed.ok) throw new Error(`${code} is no HTS code`);
    const digits = matchedDigits(parsed.digits);
    return provisions.some(provision => digits.startsWith(provision.prefix) && listingOn(provision, date));
  };

  describe(`list ${id}`, () => {
    it.each(Object.entries(official.counts))('has the official number of provisions on %s: %i', (date, count) => {
      expect(provisions.filter(provision => listingOn(provision, date))).toHaveLength(count);
    });
    it.each(official.covers)('covers %s on %s', (...on) => {
      expect(covers(on)).toBe(true);
    });
    it.each(official.leaves)('does not cover %s on %s', (...on) => {
      expect(covers(on)).toBe(false);
    });
    it('names a source that says how it was read', () => {
      const list = EDITION.lists.find(entry => entry.id === id)!;
      for (const { citation, sources } of [...list.terms, ...list.cohorts]) {
        expect(citation).not.toBe('');
        expect(sources.map(source => EDITION.sources[source]?.reading)).not.toContain(undefined);
      }
    });
  });
}
