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
function exportLike({
  day = DAY,
  without = [],
  instead = [],
}: {
  day?: string;
  without?: string[];
  instead?: ReturnType<typeof row>[];
}) {
  const replaced = new Set([...without, ...instead.map(({ htsno }) => htsno)]);
  const inForce = ({ effective_from, effective_to }: { effective_from: string; effective_to: string | null }) =>
    effective_from <= day && (effective_to === null || effective_to >= day);
  const duties = [...EDITION.lists.flatMap(({ terms }) => terms), ...EDITION.headings].filter(inForce);
  const numbers = new Set(PROVISIONS.filter(provision => listingOn(provision, day)).map(({ hts }) => hts));
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

  it('looks for what stands near it under six digits, then under the heading, and finds nothing where that is gone', () => {
    const successors = (instead: string[]) => {
      const whole = exportLike({}).filter(({ htsno }) => !htsno.startsWith('3701'));
      const { gone } = checkLists([...whole, ...instead.map(htsno => row(htsno))], 'Newer', DAY);
      return gone.map(number => [number.hts, number.successors]);
    };
    expect(successors(['3701.10.00', '3701.30.01.00', '3701.30.02'])).toEqual([
      ['3701.30.00', ['3701.30.01.00', '3701.30.02']],
    ]);
    expect(successors(['3701.10.00'])).toEqual([['3701.30.00', ['3701.10.00']]]);
    expect(successors([])).toEqual([['3701.30.00', []]]);
  });

  it('names a heading that the export lacks, and no rate of it', () => {
    const check = checkLists(exportLike({ without: ['9903.82.09'] }), 'Newer', DAY);
    expect(check.missing_headings).toEqual(['9903.82.09']);
    expect(check.other_rates).toEqual([]);
  });

  it('names the headings that the export lacks in their order', () => {
    const without = ['9903.94.05', '9903.82.09', '9903.82.22', '9903.82.02'];
    expect(checkLists(exportLike({ without }), 'Newer', DAY).missing_headings).toEqual([...without].sort());
  });

  it('asks for the headings of a list to which numbers are still to come', () => {
    const day = '2025-05-01';
    const before = exportLike({ day, without: ['9903.81.91'] });
    expect(checkLists(before, 'Older', day)).toMatchObject({ missing_headings: ['9903.81.91'], gone: [] });
  });

  it('says nothing of a rate that the lists do not give', () => {
    const day = '2026-10-01';
    const instead = [row('9903.08.25', plus('30%'))];
    expect(checkLists(exportLike({ day, instead }), 'Newer', day).other_rates).toEqual([]);
  });

  it('names a rate for one origin that is printed otherwise', () => {
    const { other_rates } = checkLists(exportLike({ instead: [row('9903.82.22', '20%')] }), 'Newer', DAY);
    expect(other_rates).toEqual([
      { headings: ['9903.82.22'], rate_pct: 15, rate_type: 'total_floor', printed: ['20%'] },
    ]);
  });

  it('names a floor that is printed otherwise, though its heading for goods whose own duty reaches it is as it was', () => {
    const floor = (rate: string) => exportLike({ instead: [row('9903.82.10', rate), row('9903.82.11', 'No change')] });
    expect(checkLists(floor('15%'), 'Newer', DAY).other_rates).toEqual([]);
    expect(checkLists(floor('20%'), 'Newer', DAY).other_rates).toEqual([
      { headings: ['9903.82.10', '9903.82.11'], rate_pct: 15, rate_type: 'total_floor', printed: ['20%', 'No change'] },
    ]);
  });

  it.each([
    ['9903.82.09', plus('a duty of 25% upon the value of the content')],
    ['9903.82.09', plus('25 %')],
    ['9903.82.09', plus('25.00%')],
    ['9903.82.09', 'The duty provided inthe applicable subheading+25%'],
    ['9903.82.22', '15.00 %'],
    ['9903.82.22', ' 15% '],
  ])('reads the rate of %s as it is printed: %s', (heading, same) => {
    expect(checkLists(exportLike({ instead: [row(heading, same)] }), 'Newer', DAY).other_rates).toEqual([]);
  });

  it.each([
    ['9903.82.09', `Free, or: ${plus('25%')}`],
    ['9903.82.22', 'not less than 15%'],
    ['9903.82.22', '15% on the metal'],
    ['9903.82.22', ''],
  ])('reads no rate of %s in longer words: %s', (heading, words) => {
    const { other_rates } = checkLists(exportLike({ instead: [row(heading, words)] }), 'Newer', DAY);
    expect(other_rates.map(({ headings, printed }) => [headings, printed])).toEqual([[[heading], [words]]]);
  });

  it('reads in which words nothing is added', () => {
    const free = EDITION.headings.find(
      ({ rate_type, effective_from, effective_to }) =>
        rate_type === 'none' && effective_from <= DAY && (effective_to === null || effective_to >= DAY),
    )!;
    const others = (words: string) =>
      checkLists(exportLike({ instead: [row(free.headings[0]!, words)] }), 'Newer', DAY).other_rates.length;
    for (const same of ['No change.', 'The duty provided inthe applicable subheading']) expect(others(same)).toBe(0);
    for (const more of ['No change for parts', 'There is no change']) expect(others(more)).toBe(1);
  });

  it('names a rate that is printed otherwise', () => {
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
    const { general: _, ...bare } = row('9903.82.98', '', text);
    const instead = [
      row('9903.82.99', ` ${plus('40%')} `, `${text} `),
      row('9903.92', '', text),
      row('9903.99.01', plus('40%'), 'U.S. note 99'),
      row('9915.01.01', '', text),
    ];
    expect(checkLists([...exportLike({ instead }), bare], 'Newer', DAY).unknown_headings).toEqual([
      { heading: '9903.82.99', description: text, printed: plus('40%') },
      { heading: '9903.82.98', description: text, printed: '' },
    ]);
  });

  it('refuses what is no export, one without Chapter 99, and a date that is none', () => {
    expect(() => checkLists([row('0101.21.00.10')], 'Part', DAY)).toThrow(/no heading of Chapter 99/);
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
