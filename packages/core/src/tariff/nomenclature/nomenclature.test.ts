import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listingOn } from '../dataset/provisions.ts';
import { PROVISIONS } from '../dataset/testing/bundled.ts';
import { lookup } from '../lookup/lookup.ts';
import { compareNomenclatures, loadNomenclature, type Nomenclature, NomenclatureError } from './nomenclature.ts';

const row = (htsno: string, indent: number, description: string) => ({ htsno, indent: `${indent}`, description });
const SMALL = [
  row('0409.00.00', 0, 'Honey'),
  row('0409.00.00.05', 1, 'Organic'),
  row('0409.00.00.10', 1, 'In the comb'),
  row('7318', 0, 'Screws:'),
  row('', 1, 'Threaded:'),
  row('7318.11.00.00', 2, 'Coach screws'),
  row('7318.15', 2, 'Other screws:'),
  row('7318.15.20', 3, 'Bolts'),
  row('7318.15.20.10', 4, 'Thin'),
  row('', 4, 'Thick:'),
  row('7318.15.20.20', 5, 'Track bolts'),
];

type Rejected = [what: string, file: unknown, message: RegExp];

describe('an HTS export', () => {
  let hts: Nomenclature;
  beforeEach(() => {
    hts = loadNomenclature(SMALL, 'Sample');
  });

  it('contains the numbers in the file and their shorter prefixes', () => {
    for (const digits of ['0409', '040900', '04090000', '0409000005', '7318', '731811', '73181100', '7318152020']) {
      expect([digits, hts.has(digits)]).toEqual([digits, true]);
    }
    for (const digits of ['0410', '731816', '7318152099', '0409000000', '7318110010', '']) {
      expect([digits, hts.has(digits)]).toEqual([digits, false]);
    }
  });

  it('finds an undivided subheading with and without the suffix 00', () => {
    const eight = loadNomenclature([row('9701.21.00', 0, 'Paintings')], 'Sample');
    expect([eight.has('97012100'), eight.has('9701210000'), hts.has('73181100'), hts.has('7318110000')]).toEqual([
      ...[true, true, true, true],
    ]);
  });

  it('describes a number from the heading down, including rows without a number', () => {
    expect(hts.describe('7318152020')).toEqual([
      'Screws:',
      'Threaded:',
      'Other screws:',
      'Bolts',
      'Thick:',
      'Track bolts',
    ]);
    expect(hts.describe('731811')).toEqual(['Screws:', 'Threaded:', 'Coach screws']);
    expect(hts.describe('0409')).toEqual(['Honey']);
    expect(hts.describe('9999')).toBeNull();
  });

  it('contains each number once even if the file repeats the number', () => {
    const twice = loadNomenclature([...SMALL, row('7318.15.20.20', 5, 'Track bolts')], 'Sample');
    expect(twice.numbers).toEqual(hts.numbers);
    expect(compareNomenclatures(twice, loadNomenclature([row('7318.15.30', 0, 'Nuts')], 'Newer')).deleted).toHaveLength(
      hts.numbers.length,
    );
  });

  it('uses the description that all numbers in a heading share for a heading without its own row', () => {
    const parts = loadNomenclature(
      [
        row('', 0, 'Live horses:'),
        row('', 1, 'Horses:'),
        row('0101.21.00', 2, ' Purebred '),
        row('0101.29.00', 2, 'Other'),
        row('0101.30.00', 1, 'Asses'),
        row('0102.21.00', 0, 'Cattle'),
        row('0102.31.00', 0, 'Buffalo'),
      ],
      'Sample',
    );
    expect(parts.describe('0101')).toEqual(['Live horses:']);
    expect(parts.describe('01012100')).toEqual(['Live horses:', 'Horses:', 'Purebred']);
    expect(parts.describe('0102')).toEqual([]);
  });

  it('accepts an export that starts in the middle of a heading and has numeric indents', () => {
    const part = loadNomenclature(
      [
        { htsno: '7318.15.20', indent: 3, description: 'Bolts' },
        { htsno: '7318.15.20.10', indent: 4, description: 'Thin' },
      ],
      'Part',
    );
    expect(part.describe('7318152010')).toEqual(['Bolts', 'Thin']);
  });

  it('adds existence flags and descriptions to lookup results', () => {
    const { results, list } = lookup(['7318.15.2020', '7318.15.2099', '0101.21.00', 'abc'], {
      asOf: '2026-11-21',
      nomenclature: hts,
    });
    expect(list.nomenclature).toBe('Sample');
    expect(results.map(result => result.exists)).toEqual([true, false, false, 'unknown']);
    expect(results[0]!.description!.at(-1)).toBe('Track bolts');
    expect(results[1]).toMatchObject({ status: 'hit', description: null });
    expect(results[1]!.message).toMatch(/This code doesn't exist in Sample\.$/);
  });

  it.each<Rejected>([
    ['an object', { htsno: '7318' }, /JSON array of rows/],
    ['an empty array', [], /doesn't contain any 8-digit or 10-digit HTS numbers/],
    ['only headings', [row('7318', 0, 'x')], /doesn't contain any 8-digit or 10-digit HTS numbers/],
    ['null rows', [null], /^Row 0: htsno/],
    ['a row without a number field', [row('7318', 0, 'x'), { indent: '0', description: '' }], /^Row 1: htsno/],
    ...['7318.A5', 'No 7318.15.20', '7318.15.20 to', '731815', 7318].map(
      htsno => [`the number ${htsno}`, [{ htsno, indent: '0', description: '' }], /^Row 0: htsno/] satisfies Rejected,
    ),
    ...['x', '', '-1', '0x1', '1e1', '1.5', null, true, ['3'], -1, 1.5, 100, Number.NaN].map(
      indent =>
        [
          `the indent ${JSON.stringify(indent)}`,
          [{ htsno: '7318.15.20', indent, description: '' }],
          /^Row 0: indent/,
        ] satisfies Rejected,
    ),
    [
      'a description that is not a string',
      [{ htsno: '7318.15.20', indent: '0', description: 5 }],
      /^Row 0: description/,
    ],
  ])('rejects an export that is or contains %s', (_, file, message) => {
    expect(() => loadNomenclature(file, 'x')).toThrow(NomenclatureError);
    expect(() => loadNomenclature(file, 'x')).toThrow(
      expect.objectContaining({ name: 'NomenclatureError', message: expect.stringMatching(message) }),
    );
  });

  it('returns deleted numbers with their possible successors', () => {
    const newer = loadNomenclature(
      [...SMALL.filter(({ htsno }) => htsno !== '0409.00.00.05'), row('0409.00.00.06', 1, 'Certified')],
      'Newer',
    );
    expect(compareNomenclatures(hts, newer)).toEqual({
      added: ['0409.00.00.06'],
      deleted: [{ hts: '0409.00.00.05', description: ['Honey', 'Organic'], successors: ['0409.00.00.06'] }],
    });
    expect(compareNomenclatures(hts, loadNomenclature(SMALL.slice(3), 'Newest')).deleted).toContainEqual({
      hts: '0409.00.00.05',
      description: ['Honey', 'Organic'],
      successors: [],
    });
  });
});

const exports = ['hts_2025_basic', 'hts_2026_rev_10'].map(
  name => new URL(`../../../../../../shared/data/${name}.json.gz`, import.meta.url),
);
describe.skipIf(!exports.every(existsSync))(
  'the official exports in ../shared/data (skipped if the files are missing)',
  () => {
    const load = (url: URL, edition: string) =>
      loadNomenclature(JSON.parse(gunzipSync(readFileSync(url)).toString('utf8')), edition);
    let [basic2025, rev10] = [] as unknown as [Nomenclature, Nomenclature];
    beforeAll(() => {
      [basic2025, rev10] = [load(exports[0]!, 'HTS 2025 Basic'), load(exports[1]!, 'HTS 2026 Revision 10')];
    });

    it('loads every 8-digit and 10-digit number in the official exports', () => {
      expect(rev10.numbers).toHaveLength(6687 + 19_856);
      expect(basic2025.numbers).toHaveLength(7057 + 19_731);
    });

    it('finds and describes headings that have no row in the official export', () => {
      expect([rev10.has('0409'), rev10.has('8503'), rev10.has('7303')]).toEqual([true, true, true]);
      expect(rev10.describe('7318152061')!.slice(0, 2)).toEqual([
        expect.stringContaining('Screws, bolts'),
        expect.stringContaining('Threaded articles'),
      ]);
    });

    it('contains every metal provision in force on the publication date of Revision 10', () => {
      const missing = PROVISIONS.filter(
        provision =>
          ['steel', 'aluminum', 'copper'].includes(provision.list.program) &&
          listingOn(provision, '2026-06-08') &&
          !rev10.has(provision.hts.replaceAll('.', '')),
      );
      expect(missing).toEqual([]);
    });

    it('returns the successors of codes that were renumbered between two official exports', () => {
      const { deleted } = compareNomenclatures(basic2025, rev10);
      const successors = (hts: string) => deleted.find(number => number.hts === hts)?.successors;
      // The first successors had the suffixes .30 and .70. The number ending in .70 was divided again on 2026-02-01.
      expect(successors('9401.99.90.81')).toEqual(['9401.99.90.30', '9401.99.90.40', '9401.99.90.85']);
      expect(successors('8541.90.00.00')).toEqual(['8541.90.00.10', '8541.90.00.80']);
    });
  },
);
