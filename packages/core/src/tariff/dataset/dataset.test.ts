import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { basisOf } from './alternatives.ts';
import { SCHEMAS } from './format/schemas.ts';
import { METALS } from './programs.ts';
import { listingOn } from './provisions.ts';
import { PROVISIONS } from './testing/bundled.ts';

const inForce = (date: string) => PROVISIONS.filter(provision => listingOn(provision, date));
const metals = (date: string) => inForce(date).filter(({ list }) => METALS.includes(list.program));
const provisions = (date: string) => new Set(metals(date).map(({ hts }) => hts.replaceAll('.', ''))).size;
const program = (date: string) => {
  const counts: Record<string, number> = {};
  for (const { list } of inForce(date)) counts[list.program] = (counts[list.program] ?? 0) + 1;
  return counts;
};

describe('the data set', () => {
  it('contains 742 metal listings for 719 provisions starting 2026-06-08', () => {
    expect([metals('2026-06-08').length, provisions('2026-06-08')]).toEqual([742, 719]);
    expect([metals('2026-11-21').length, provisions('2026-11-21')]).toEqual([742, 719]);
  });
  it('contains 738 metal listings for 714 provisions from 2026-04-06 to 2026-06-07', () => {
    expect([metals('2026-04-06').length, provisions('2026-04-06')]).toEqual([738, 714]);
    expect([metals('2026-06-07').length, provisions('2026-06-07')]).toEqual([738, 714]);
  });
  it.each([
    ['2018-03-22', {}],
    ['2018-03-23', { steel: 39, aluminum: 9 }],
    ['2020-02-08', { steel: 48, aluminum: 15 }],
    ['2025-03-11', { steel: 48, aluminum: 15 }],
    ['2025-03-12', { steel: 214, aluminum: 138 }],
    ['2025-04-04', { steel: 214, aluminum: 140, autos: 17 }],
    ['2025-06-23', { steel: 225, aluminum: 140, autos: 17, auto_parts: 130 }],
    ['2025-08-01', { steel: 225, aluminum: 141, autos: 17, auto_parts: 130, copper: 80 }],
    ['2025-08-18', { steel: 617, aluminum: 263, autos: 17, auto_parts: 130, copper: 80 }],
    ['2026-04-05', { steel: 617, aluminum: 263, copper: 80 }],
    ['2026-04-06', { steel: 514, aluminum: 144, copper: 80 }],
    ['2026-06-08', { steel: 517, aluminum: 145, copper: 80 }],
    ['2026-09-29', { pharmaceuticals: 149, uas: 16, semiconductors: 3, timber: 15, upholstered_furniture: 4 }],
    ['2026-12-04', { polysilicon: 10, kitchen_cabinets: 3, trucks: 25, truck_parts: 182, buses: 10 }],
  ])('contains the official number of listings for each program on %s', (date, counts) => {
    expect(program(date)).toMatchObject(counts);
  });
  it('adds 392 steel and 122 aluminum listings, covering 428 provisions, on 2025-08-18', () => {
    const added = PROVISIONS.filter(({ batch }) => batch.effective_from === '2025-08-18');
    const of = (metal: string) => added.filter(({ list }) => list.program === metal).length;
    expect([of('steel'), of('aluminum'), new Set(added.map(({ prefix }) => prefix)).size]).toEqual([392, 122, 428]);
  });
});

const TWICE = ': two listings of the same provision have overlapping dates';

/** Returns a file's schema errors with their paths, or null if the file is valid. */
const problemsOf = (schema: z.ZodType, file: unknown) =>
  schema
    .safeParse(file)
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    .join() ?? null;

describe('the list schema', () => {
  const good = JSON.parse(readFileSync(new URL('./lists/buses-38c/list.json', import.meta.url), 'utf8'));
  const problems = (change: (list: typeof good) => void) => {
    const copy = structuredClone(good);
    change(copy);
    return problemsOf(SCHEMAS.list, copy);
  };
  const once = { ...good.batches[0], provisions: ['8702.10.31'] };
  it('accepts a TODO in a draft list', () => {
    expect(problems(list => Object.assign(list, { title: 'TODO', draft: true }))).toBeNull();
  });
  it('accepts a valid list', () => expect(problems(() => {})).toBeNull());
  it('accepts batches in any order, even if a provision is listed for one day and listed again later', () => {
    const again = [
      { ...once, effective_from: '2026-03-01' },
      { ...once, effective_from: '2026-01-01', effective_to: '2026-01-01' },
      { ...once, effective_from: '2026-02-01', effective_to: '2026-02-28' },
    ];
    expect(problems(list => (list.batches = again))).toBeNull();
    expect(problems(list => (list.batches = again.toReversed()))).toBeNull();
  });
  it.each<[string, (list: typeof good) => void, string]>([
    ['a term without a citation', list => delete list.terms[0].citation, 'terms.0.citation: '],
    ['a term without a source', list => (list.terms[0].sources = []), 'terms.0.sources: '],
    ['provisions without a citation', list => (list.batches[0].citation = ''), 'batches.0.citation: '],
    ['provisions without a source', list => delete list.batches[0].sources, 'batches.0.sources: '],
    [
      'a date that does not exist',
      list => (list.terms[0].effective_from = '2025-11-31'),
      'terms.0.effective_from: must be a calendar date in YYYY-MM-DD format',
    ],
    [
      'a term that ends before it starts',
      list => (list.terms[0].effective_to = '2025-10-31'),
      'terms.0: the end date is before the start date',
    ],
    [
      'provisions that end before they start',
      list => (list.batches[0].effective_to = '2025-10-31'),
      'batches.0: the end date is before the start date',
    ],
    [
      'terms that overlap',
      list => list.terms.push({ ...list.terms[0], effective_from: '2026-01-01' }),
      ': the terms overlap or are out of order',
    ],
    [
      'a term that ends on the day the next one starts',
      list => {
        const [term] = list.terms;
        list.terms = [
          { ...term, effective_to: '2026-01-01' },
          { ...term, effective_from: '2026-01-01' },
        ];
      },
      ': the terms overlap or are out of order',
    ],
    ['a provision listed twice at the same time', list => list.batches.push(once), TWICE],
    [
      'a provision listed again with the suffix 00',
      list => list.batches.push({ ...once, provisions: ['8702.10.31.00'] }),
      TWICE,
    ],
    [
      'a provision listed again on its last day',
      list => {
        list.batches = [
          { ...once, effective_from: '2026-01-01' },
          { ...once, effective_to: '2026-01-01' },
        ];
      },
      TWICE,
    ],
    [
      'a provision that is not an HTS number',
      list => (list.batches[0].provisions[0] = '8702.1'),
      'batches.0.provisions.0: ',
    ],
    ['text before a provision', list => (list.batches[0].provisions[0] = 'ex 8702.10'), 'batches.0.provisions.0: '],
    ['a heading outside chapter 99', list => (list.terms[0].headings = ['8702.10.31']), 'terms.0.headings.0: '],
    ['text before a heading', list => (list.terms[0].headings = ['heading 9903.74.02']), 'terms.0.headings.0: '],
    ['text after a heading', list => (list.terms[0].headings = ['9903.74.02 (new)']), 'terms.0.headings.0: '],
    ['an id with a capital letter', list => (list.id = 'Buses-38c'), 'id: '],
    ['an id that is a path', list => (list.id = 'buses-38c/'), 'id: '],
    ['a TODO outside a draft', list => (list.title = 'TODO'), ": contains a TODO but isn't marked as a draft"],
    ['an unknown field', list => (list.comment = 'x'), ': Unrecognized key'],
  ])('rejects a list with %s', (_, change, problem) => {
    expect(problems(change)).toContain(problem);
  });
});

describe('the headings schema', () => {
  const file = JSON.parse(readFileSync(new URL('./headings/note-38.json', import.meta.url), 'utf8'));
  const { origins, ...heading } = file.headings.find((entry: { origins?: string[] }) => entry.origins);
  const problems = (change: object) =>
    problemsOf(SCHEMAS.headingsFile, { ...file, headings: [{ ...heading, ...change }] });

  it.each<[string, object]>([
    ['a fact', {}],
    ['an origin', { origins, when: [] }],
  ])('accepts an alternative heading that depends only on %s', (_, change) => {
    expect(problems(change)).toBeNull();
  });

  it.each<[string, object, string]>([
    [
      'a heading with neither an origin nor a fact',
      { when: [] },
      'headings.0: an alternative heading must depend on an origin or a fact',
    ],
    [
      'a heading that ends before it starts',
      { effective_to: '2025-10-31' },
      'headings.0: the end date is before the start date',
    ],
    ['an origin that is not a two-letter code', { origins: ['CAN'] }, 'headings.0.origins.0: '],
    ['an excluded origin that is not a two-letter code', { except_origins: ['CAN'] }, 'headings.0.except_origins.0: '],
    ['a heading instead of a chapter', { chapters: ['8702'] }, 'headings.0.chapters.0: '],
  ])('rejects a headings file with %s', (_, change, problem) => {
    expect(problems(change)).toContain(problem);
  });
});

interface ResearchRow {
  list: string;
  program: string;
  role: string;
  hts: string;
  annex: string | null;
  rate_pct: number | null;
  value_basis: string;
  effective_from: string;
  effective_to: string | null;
}

const toFullValue = (row: ResearchRow) => [{ ...row, value_basis: 'full_customs_value' }];
const inThe2025Regime = ({ effective_from, effective_to }: ResearchRow) =>
  effective_from >= '2025-06-04' && effective_to === '2026-04-05';

/** Corrections to the research data, each with its reason and the number of corrected rows. */
const CORRECTIONS: {
  reason: string;
  rows: number;
  applies(row: ResearchRow): boolean;
  correct(row: ResearchRow): ResearchRow[];
}[] = [
  {
    reason:
      'Proclamation 10947, clause 6, limits the metal-content basis to goods outside chapter 73, and heading 9903.81.90 for note 16(m) never names the metal content.',
    rows: 158,
    applies: row => row.list.startsWith('steel.deriv.16m') && inThe2025Regime(row),
    correct: toFullValue,
  },
  {
    reason: 'Clause 6 leaves the chapter 73 derivatives of note 16(l) dutiable on the full value.',
    rows: 7,
    applies: row => row.list === 'steel.deriv.2020' && row.hts.startsWith('73') && inThe2025Regime(row),
    correct: toFullValue,
  },
  {
    reason:
      'Clause 6 limits the metal-content basis to goods outside chapter 76, and every provision of note 19(j) is in that chapter.',
    rows: 24,
    applies: row => row.list.startsWith('aluminum.deriv.19j') && inThe2025Regime(row),
    correct: toFullValue,
  },
  {
    reason: 'Clause 6 leaves the chapter 76 derivatives of note 19(i) dutiable on the full value.',
    rows: 4,
    applies: row => row.list === 'aluminum.deriv.2020' && row.hts.startsWith('76') && inThe2025Regime(row),
    correct: toFullValue,
  },
  {
    reason:
      'Heading 9903.04.61 applied to the companies of Annex III until 2026-09-28; 9903.04.60 has applied to every company since.',
    rows: 121,
    applies: row =>
      row.program === 'pharmaceuticals' && row.effective_from === '2026-07-31' && row.effective_to === null,
    correct: row => [
      { ...row, effective_to: '2026-09-28' },
      { ...row, effective_from: '2026-09-29' },
    ],
  },
];

const research = new URL('../../../../../../shared/data/section232.json', import.meta.url);
describe.skipIf(!existsSync(research))(
  'the data set compared with ../shared/data/section232.json (skipped if the file is missing)',
  () => {
    it('matches the research data’s listings, dates, and rates, apart from documented corrections', () => {
      const rows: ResearchRow[] = JSON.parse(readFileSync(research, 'utf8')).rows;
      const key = (parts: unknown[]) => parts.join(' | ');
      const corrected = CORRECTIONS.map(() => 0);
      const theirs = rows.flatMap(row => {
        const at = CORRECTIONS.findIndex(({ applies }) => applies(row));
        if (at >= 0) corrected[at]! += 1;
        return (CORRECTIONS[at]?.correct(row) ?? [row]).map(({ program, role, hts, annex, rate_pct, ...rest }) =>
          key([
            ...[program, role, hts, annex?.replace(' (scheduled)', ''), rate_pct],
            ...[rest.value_basis.startsWith('metal') ? 'metal_content_value' : rest.value_basis],
            ...[rest.effective_from, rest.effective_to],
          ]),
        );
      });
      const ours = PROVISIONS.flatMap(provision =>
        provision.listings.flatMap(({ term, effective_from, effective_to }) => {
          if (effective_to !== null && effective_to < effective_from) return [];
          const { list, hts } = provision;
          const { annex, rate_pct } = term;
          const value_basis = basisOf(term, hts.slice(0, 2));
          return [key([list.program, list.role, hts, annex, rate_pct, value_basis, effective_from, effective_to])];
        }),
      );
      expect(ours.sort()).toEqual(theirs.sort());
      expect(corrected).toEqual(CORRECTIONS.map(({ rows }) => rows));
    });
  },
);
