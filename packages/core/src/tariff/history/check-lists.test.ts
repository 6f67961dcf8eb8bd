import { describe, expect, it } from 'vitest';
import { DATASET, type ReviewedDifference, type TariffList } from '../dataset/dataset.ts';
import { LookupOptionError } from '../lookup/options.ts';
import { NomenclatureError } from '../nomenclature/nomenclature.ts';
import { type CheckFacts, checkExtract, checkLists, isClean, UnknownEditionError } from './check-lists.ts';

const PLUS_25 = 'The duty provided in the applicable subheading + 25%';
const row = (htsno: string, general = PLUS_25, description = 'Articles as provided for in U.S. note 16') => ({
  htsno,
  indent: '0',
  description,
  general,
  special: general,
  other: general,
});
const STEEL = DATASET.lists.find(({ id }) => id === 'steel-16m')!;
const [TERM] = STEEL.terms;
const list: TariffList = {
  ...STEEL,
  terms: [
    { ...TERM!, headings: ['9903.80.01'], companion_headings: [], effective_from: '2025-01-10', effective_to: null },
  ],
};
const review: ReviewedDifference = {
  headings: ['9903.80.01'],
  editions: ['2025 Basic', '2025 Revision 1'],
  kind: 'not_printed',
  reason: 'retroactive',
  text: 'Retroactive',
  source: 'Notice',
  reviewed: '2026-11-22',
};
const facts = (differences: ReviewedDifference[] = []): CheckFacts => ({
  data: { lists: [list], headings: [], conditions: DATASET.conditions },
  reviewed: {
    editions: [
      { edition: '2025 Basic', published: '2025-01-01', source: 'USITC' },
      { edition: '2025 Revision 1', published: '2025-02-01', source: 'USITC' },
      { edition: '2025 Revision 2', published: '2025-03-01', source: 'USITC' },
    ],
    otherAuthorities: [
      { authority: 'Section 301', notes: [20], headings: ['9903.88.01'], source: 'HTS', reviewed: '2026-11-22' },
    ],
    differences,
    notes: [],
  },
});
const OFFICIAL = [row('0101.21.00.10', 'Free'), row('9903.80.01'), row('9903.88.01', PLUS_25, 'U.S. note 20')];
const check = (rows: object[], options = {}, edition = 'HTS 2025 Revision 1', own = facts()) =>
  checkLists(rows, edition, options, own);

describe('checkLists', () => {
  it('reports no differences for a matching export and counts the compared headings', () => {
    const result = check(OFFICIAL);
    expect(isClean(result)).toBe(true);
    expect(result).toMatchObject({
      edition: 'HTS 2025 Revision 1',
      days: { from: '2025-02-01', to: '2025-02-28' },
      version: DATASET.version,
      compared: 1,
      differences: [],
      unknown_headings: [],
      unknown_notes: [],
    });
  });

  it('compares the latest edition on its publication date by default, or any edition on a specified day', () => {
    expect(check(OFFICIAL, {}, '2025 Revision 2').days).toEqual({ from: '2025-03-01', to: '2025-03-01' });
    expect(check(OFFICIAL, { asOf: '2025-01-20' }).days).toEqual({ from: '2025-01-20', to: '2025-01-20' });
  });

  it('reports an unknown heading with its program, and an unknown U.S. note', () => {
    const invented = [
      row('9903.80.99'),
      row('9903.83.01', '40%', 'Articles as provided for in U.S. note 44'),
      row('9903.88.02', PLUS_25, 'U.S. note 20'),
    ];
    const result = check([...OFFICIAL, ...invented]);
    expect(isClean(result)).toBe(false);
    expect(result.unknown_headings.map(({ heading, programs }) => [heading, programs])).toEqual([
      ['9903.80.99', ['steel']],
      ['9903.83.01', []],
      ['9903.88.02', []],
    ]);
    expect(result.unknown_notes).toEqual([{ note: 44, headings: ['9903.83.01'] }]);
  });

  it('reports an unknown U.S. note that only a known heading cites', () => {
    const rows = [row('0101.21.00.10', 'Free'), row('9903.80.01', PLUS_25, 'U.S. notes 16 and 44')];
    expect(check(rows).unknown_notes).toEqual([{ note: 44, headings: ['9903.80.01'] }]);
  });

  it('reports a printed heading that is missing from the data set', () => {
    const without: CheckFacts = {
      ...facts(),
      data: { ...facts().data, lists: [{ ...list, terms: [{ ...list.terms[0]!, headings: ['9903.80.05'] }] }] },
    };
    const result = check(OFFICIAL, {}, '2025 Revision 1', without);
    expect(result.unknown_headings).toMatchObject([{ heading: '9903.80.01', programs: ['steel'] }]);
    expect(result.differences).toMatchObject([{ heading: '9903.80.05', kind: 'not_printed' }]);
  });

  it('applies a reviewed explanation of a difference only to the editions that it names', () => {
    const rows = OFFICIAL.filter(({ htsno }) => htsno !== '9903.80.01');
    const own = facts([{ ...review, editions: ['2025 Basic', '2025 Basic'] }]);
    const result = check(rows, {}, '2025 Basic', own);
    expect(isClean(result)).toBe(true);
    expect(result.explained).toMatchObject([
      { heading: '9903.80.01', reason: 'retroactive', days: { from: '2025-01-10', to: '2025-01-31' } },
    ]);
    expect(check(rows, {}, '2025 Revision 1', own).differences).toHaveLength(1);
  });

  it('reports a reviewed entry that doesn’t explain any difference, unless only a single day is checked', () => {
    const own = facts([review]);
    const result = check(OFFICIAL, {}, '2025 Revision 1', own);
    expect(isClean(result)).toBe(false);
    expect(result.unused_reviews).toEqual([{ heading: '9903.80.01', kind: 'not_printed', text: 'Retroactive' }]);
    expect(check(OFFICIAL, { asOf: '2025-02-02' }, '2025 Revision 1', own).unused_reviews).toEqual([]);
  });

  it('applies a reviewed explanation only if the printed text matches the reviewed entry', () => {
    const own = facts([{ ...review, kind: 'rate', printed: '40%' }]);
    const rows = (rate: string) => [OFFICIAL[0]!, row('9903.80.01', rate), OFFICIAL[2]!];
    expect(check(rows('40%'), {}, '2025 Revision 1', own).explained).toHaveLength(1);
    expect(check(rows('41%'), {}, '2025 Revision 1', own).differences).toHaveLength(1);
  });

  it('lists deleted codes and their candidate replacements without failing the check', () => {
    const full = checkLists(
      [...OFFICIAL, row('8415.10.60.40', 'Free')],
      '2025 Revision 1',
      { asOf: '2026-06-08' },
      facts(),
    );
    expect(full.gone).toContainEqual({ hts: '8415.10.30', list: expect.any(String), successors: ['8415.10.60.40'] });
    expect(full.gone.find(({ hts }) => hts === '7601')).toMatchObject({ successors: [] });
    expect(isClean(full)).toBe(true);
  });

  it('rejects an invalid export, an export without Section 232 headings, an unknown edition, and an invalid date', () => {
    expect(() => check([{}])).toThrow(NomenclatureError);
    expect(() => check([row('0101.21.00.10', 'Free')])).toThrow("doesn't contain Chapter 99 headings");
    const early = { asOf: '2024-01-01' };
    expect(() => check([OFFICIAL[0]!, OFFICIAL[2]!], early)).toThrow("doesn't contain any Section 232 heading");
    expect(() => check(OFFICIAL, {}, 'HTS 2025 Revision 3')).toThrow(UnknownEditionError);
    expect(() => check(OFFICIAL, { asOf: '2025-02-30' })).toThrow(LookupOptionError);
    expect(() => check(OFFICIAL, { published: { '2025 Revision 3': '2025-02-30' } }, '2025 Revision 3')).toThrow(
      LookupOptionError,
    );
  });

  it('accepts a publication date for an edition that is not in the data set', () => {
    const published = { 'HTS 2025 Revision 3': '2025-03-10' };
    expect(check(OFFICIAL, { published }, 'HTS 2025 Revision 3').days.from).toBe('2025-03-10');
    expect(check(OFFICIAL, { published }, '2025 Revision 2').days).toEqual({ from: '2025-03-01', to: '2025-03-09' });
  });
});

describe('checkExtract', () => {
  const version = (first: string, last: string, general = PLUS_25) => ({ ...row('', general), first, last });
  const extract = (headings: object) =>
    ({
      revisions: [
        { id: '2025 Revision 1', in_force_from: null },
        { id: '2025 Revision 2', in_force_from: null },
      ],
      headings,
    }) as Parameters<typeof checkExtract>[0];

  it('compares the data set with the printed text of each edition', () => {
    const headings = {
      '9903.80.01': [
        version('2025 Revision 1', '2025 Revision 1'),
        version('2025 Revision 2', '2025 Revision 2', '40%'),
      ],
    };
    const results = checkExtract(extract(headings), {}, facts());
    expect(results.map(({ differences }) => differences.map(({ kind }) => kind))).toEqual([[], ['rate']]);
    expect(results.map(({ gone, compared }) => [gone, compared])).toEqual([
      [[], 1],
      [[], 1],
    ]);
  });

  it('uses the date in the extract for an edition that is not in the data set', () => {
    const revisions = [{ id: '2025 Revision 9', in_force_from: '2025-05-01' }];
    const headings = { '9903.80.01': [version('2025 Revision 9', '2025 Revision 9')] };
    expect(checkExtract({ ...extract(headings), revisions }, {}, facts())[0]!.days.from).toBe('2025-05-01');
  });

  it('rejects an extract without editions, headings, or a date', () => {
    expect(() => checkExtract({ revisions: [], headings: {} }, {}, facts())).toThrow("doesn't contain any edition");
    expect(() => checkExtract(extract({}), {}, facts())).toThrow("doesn't contain any Section 232 heading");
    const undated = { ...extract({}), revisions: [{ id: '2025 Revision 9', in_force_from: null }] };
    expect(() => checkExtract(undated, {}, facts())).toThrow(UnknownEditionError);
  });
});
