import { describe, expect, it } from 'vitest';
import { readList } from '../../../../scripts/gen-dataset.ts';
import { matchedDigits, parseHtsCode } from '../../nomenclature/hts-code.ts';
import { DATASET } from '../dataset.ts';
import { listingOn } from '../provisions.ts';
import { PROVISIONS } from './bundled.ts';

/** A submitted code and a date. */
type CodeOnDate = readonly [code: string, date: string];

/**
 * Tests a list against expectations that were taken from the official text independently of `list.json`. For a draft
 * list, tests only that the data set excludes the list.
 *
 * @param id the list's ID, which is also its folder name
 * @param official official provision counts by date, and codes that the list covers or doesn't cover on specific dates
 */
export function describeList(
  id: string,
  official: {
    counts: Record<string, number>;
    covers: readonly CodeOnDate[];
    doesNotCover: readonly CodeOnDate[];
  },
): void {
  if (readList(id).draft) {
    it(`excludes the draft list ${id} from the data set`, () => {
      expect(DATASET.lists.map(list => list.id)).not.toContain(id);
    });
    return;
  }
  const provisions = PROVISIONS.filter(provision => provision.list.id === id);
  const covers = ([code, date]: CodeOnDate) => {
    const parsed = parseHtsCode(code);
    if (!parsed.ok) throw new Error(`${code} isn't an HTS code`);
    const digits = matchedDigits(parsed.digits);
    return provisions.some(provision => digits.startsWith(provision.prefix) && listingOn(provision, date));
  };

  describe(`list ${id}`, () => {
    it("has expectations for at least one count, one covered code, and one code that isn't covered", () => {
      expect(Object.keys(official.counts)).not.toEqual([]);
      expect(official.covers).not.toEqual([]);
      expect(official.doesNotCover).not.toEqual([]);
    });
    it.each(Object.entries(official.counts))('has the official number of provisions on %s (%i)', (date, count) => {
      expect(provisions.filter(provision => listingOn(provision, date))).toHaveLength(count);
    });
    it.each(official.covers)('covers the code %s on %s', (...codeOnDate) => {
      expect(covers(codeOnDate)).toBe(true);
    });
    it.each(official.doesNotCover)("doesn't cover the code %s on %s", (...codeOnDate) => {
      expect(covers(codeOnDate)).toBe(false);
    });
    it('has a citation and a source for each term and batch', () => {
      const list = DATASET.lists.find(entry => entry.id === id)!;
      for (const { citation, sources } of [...list.terms, ...list.batches]) {
        expect(citation).not.toBe('');
        expect(sources.map(source => DATASET.sources[source]?.reading)).not.toContain(undefined);
      }
    });
  });
}
