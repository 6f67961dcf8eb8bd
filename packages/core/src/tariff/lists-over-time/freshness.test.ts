import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { EDITION } from '../edition/edition.ts';
import { listingOn, PROVISIONS } from '../edition/provisions.ts';
import { LookupOptionError } from '../lookup/lookup.ts';
import { NomenclatureError } from '../nomenclature/nomenclature.ts';
import { checkLists } from './freshness.ts';

const DAY = '2026-06-08';
const row = (htsno: string, general = '', description = 'Goods', special = '') => ({
  htsno,
  indent: '0',
  description,
  general,
  special,
});
const plus = (rate: string) => `The duty provided in the applicable subheading + ${rate}`;

/** An export that says of a day exactly what the lists say, but for what a test leaves out, changes or adds. */
function exportLike({ without = [], instead = [] }: { without?: string[]; instead?: ReturnType<typeof row>[] }) {
  const replaced = new Set([...without, ...instead.map(({ htsno }) => htsno)]);
  const inForce = ({ effective_from, effective_to }: { effective_from: string; effective_to: string | null }) =>
    effective_from <= DAY && (effective_to === null || effective_to >= DAY);
  const duties = [...EDITION.lists.flatMap(({ terms }) => terms), ...EDITION.headings].filter(inForce);
  const numbers = new Set(PROVISIONS.filter(provision => listingOn(provision, DAY)).map(({ hts }) => hts));
  const words = ({ rate_pct, rate_type }: (typeof duties)[number]) =>
    rate_type === 'none' ? 'No change' : rate_type === 'additional' ? plus(`${rate_pct}%`) : `${rate_pct}%`;
  return [
    row('0101.21.00.10'),
    ...[...numbers].map(hts => row(hts)),
    ...duties.flatMap(duty =>
      duty.headings.map(heading => row(heading, words(duty), 'U.S. note 16 to this subchapter')),
    ),
  ]
    .filter(({ htsno }) => !replaced.has(htsno))
    .concat(instead);
}

describe('lists held against an export', () => {
  it('finds nothing where both say the same', () => {
    expect(checkLists(exportLike({}), 'Same', DAY)).toMatchObject({
      edition: 'Same',
      version: EDITION.version,
      gone: [],
      missing_headings: [],
      other_rates: [],
      unknown_headings: [],
    });
  });

  it('names a listed number that is gone, with what stands near it', () => {
    const changed = exportLike({ without: ['8415.10.60'], instead: [row('8415.10.61.00'), row('8415.10.62.00')] });
    const [gone] = checkLists(changed, 'Newer', DAY).gone.filter(({ hts }) => hts.startsWith('8415.10.6'));
    expect(gone).toMatchObject({ list: expect.stringContaining('16c') });
    expect(gone!.successors).toEqual(expect.arrayContaining(['8415.10.61.00', '8415.10.62.00']));
  });

  it('names a heading that the export lacks, and no rate of it', () => {
    const check = checkLists(exportLike({ without: ['9903.82.09'] }), 'Newer', DAY);
    expect(check.missing_headings).toEqual(['9903.82.09']);
    expect(check.other_rates).toEqual([]);
  });

  it('names a rate that is printed otherwise, and reads the forms that rates are printed in', () => {
    for (const same of [plus('25%'), plus('a duty of 25% upon the value of the content'), plus('25 %')]) {
      expect(checkLists(exportLike({ instead: [row('9903.82.09', same)] }), 'Newer', DAY).other_rates).toEqual([]);
    }
    const { other_rates } = checkLists(exportLike({ instead: [row('9903.82.09', plus('30%'))] }), 'Newer', DAY);
    expect(other_rates[0]).toEqual({
      headings: ['9903.82.09'],
      rate_pct: 25,
      rate_type: 'additional',
      printed: [plus('30%')],
    });
  });

  it('takes a rate that stands in the column of preferences alone', () => {
    const special = row('9903.82.18', 'no change', 'Steel', plus('25%'));
    expect(checkLists(exportLike({ instead: [special] }), 'Newer', DAY).other_rates).toEqual([]);
  });

  it('names a heading of our notes that no list names, and none of other notes or subchapters', () => {
    const text = 'Articles provided for in subdivision (z) of U.S. note 16 to this subchapter';
    const instead = [
      row('9903.82.99', plus('40%'), text),
      row('9903.99.01', plus('40%'), 'U.S. note 99'),
      row('9915.01.01', '', text),
    ];
    expect(checkLists(exportLike({ instead }), 'Newer', DAY).unknown_headings).toEqual([
      { heading: '9903.82.99', description: text, printed: plus('40%') },
    ]);
  });

  it('refuses what is no export, one without Chapter 99, and a date that is none', () => {
    expect(() => checkLists([row('0101.21.00.10')], 'Part', DAY)).toThrow(NomenclatureError);
    expect(() => checkLists({}, 'None', DAY)).toThrow(NomenclatureError);
    expect(() => checkLists(exportLike({}), 'Any', '2026-02-30')).toThrow(LookupOptionError);
  });
});

const OFFICIAL = join(import.meta.dirname, '../../../../../../shared/data/hts_2026_rev_10.json.gz');
describe.skipIf(!existsSync(OFFICIAL))('the official export of 2026-06-08 (skipped without ../shared/data)', () => {
  it('has every listed number, and every heading at the rate of the lists', () => {
    const rows = JSON.parse(gunzipSync(readFileSync(OFFICIAL)).toString('utf8'));
    const check = checkLists(rows, 'HTS 2026 Revision 10', DAY);
    expect(check).toMatchObject({ gone: [], missing_headings: [], other_rates: [] });
    // What is left is for parts that no list names, certified for production or repair, and for United States content.
    expect(check.unknown_headings.map(({ heading }) => heading)).toEqual([
      ...['9903.74.06', '9903.74.09', '9903.94.07', '9903.94.33', '9903.94.44', '9903.94.45', '9903.94.54'],
      ...['9903.94.55', '9903.94.64', '9903.94.65', '9903.94.68', '9903.94.69'],
    ]);
  });
});
