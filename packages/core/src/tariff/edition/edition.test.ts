import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { headingsSchema, listSchema } from './edition.schema.ts';
import { METALS } from './programs.ts';
import { listingOn, PROVISIONS } from './provisions.ts';

const inForce = (date: string) => PROVISIONS.filter(provision => listingOn(provision, date));
const metals = (date: string) => inForce(date).filter(({ list }) => METALS.includes(list.program));
const provisions = (date: string) => new Set(metals(date).map(({ hts }) => hts.replaceAll('.', ''))).size;
const program = (date: string) => {
  const counts: Record<string, number> = {};
  for (const { list } of inForce(date)) counts[list.program] = (counts[list.program] ?? 0) + 1;
  return counts;
};

describe('the edition against the official counts', () => {
  it('has 742 metal listings of 719 provisions since 2026-06-08', () => {
    expect([metals('2026-06-08').length, provisions('2026-06-08')]).toEqual([742, 719]);
    expect([metals('2026-11-21').length, provisions('2026-11-21')]).toEqual([742, 719]);
  });
  it('has 738 metal listings of 714 provisions from 2026-04-06 to 2026-06-07', () => {
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
  ])('has the listings of each program on %s', (date, counts) => {
    expect(program(date)).toMatchObject(counts);
  });
  it('counts the inclusions of 2025-08-18 as its annex does: 392 steel and 122 aluminum listings of 428 provisions', () => {
    const added = PROVISIONS.filter(({ cohort }) => cohort.effective_from === '2025-08-18');
    const of = (metal: string) => added.filter(({ list }) => list.program === metal).length;
    expect([of('steel'), of('aluminum'), new Set(added.map(({ prefix }) => prefix)).size]).toEqual([392, 122, 428]);
  });
});

/** What a schema says against a file, with the place; null when it loads. */
const problemsOf = (schema: z.ZodType, file: unknown) =>
  schema
    .safeParse(file)
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    .join() ?? null;

describe('a list that does not load', () => {
  const good = JSON.parse(readFileSync(new URL('./lists/buses-38c/list.json', import.meta.url), 'utf8'));
  const problems = (change: (list: typeof good) => void) => {
    const copy = structuredClone(good);
    change(copy);
    return problemsOf(listSchema, copy);
  };
  const once = { ...good.cohorts[0], provisions: ['8702.10.31'] };
  it('loads as it stands', () => expect(problems(() => {})).toBeNull());
  it('may have provisions of one day, that come again later, in any order of the file', () => {
    const again = [
      { ...once, effective_from: '2026-03-01' },
      { ...once, effective_from: '2026-01-01', effective_to: '2026-01-01' },
      { ...once, effective_from: '2026-02-01', effective_to: '2026-02-28' },
    ];
    expect(problems(list => (list.cohorts = again))).toBeNull();
    expect(problems(list => (list.cohorts = again.toReversed()))).toBeNull();
  });
  it.each<[string, (list: typeof good) => void, string]>([
    ['a term without a citation', list => delete list.terms[0].citation, 'terms.0.citation: '],
    ['a term without a source', list => (list.terms[0].sources = []), 'terms.0.sources: '],
    ['provisions without a citation', list => (list.cohorts[0].citation = ''), 'cohorts.0.citation: '],
    ['provisions without a source', list => delete list.cohorts[0].sources, 'cohorts.0.sources: '],
    [
      'a date that does not exist',
      list => (list.terms[0].effective_from = '2025-11-31'),
      'terms.0.effective_from: not a calendar date',
    ],
    [
      'a term that ends before it begins',
      list => (list.terms[0].effective_to = '2025-10-31'),
      'terms.0: ends before it begins',
    ],
    [
      'provisions that end before they begin',
      list => (list.cohorts[0].effective_to = '2025-10-31'),
      'cohorts.0: ends before it begins',
    ],
    [
      'terms that overlap',
      list => list.terms.push({ ...list.terms[0], effective_from: '2026-01-01' }),
      ': terms overlap or are out of order',
    ],
    [
      'terms of which one ends on the day when the next begins',
      list => {
        const [term] = list.terms;
        list.terms = [
          { ...term, effective_to: '2026-01-01' },
          { ...term, effective_from: '2026-01-01' },
        ];
      },
      ': terms overlap or are out of order',
    ],
    ['a provision listed twice at once', list => list.cohorts.push(once), ': a provision is listed twice at once'],
    [
      'a provision listed again by its suffix 00',
      list => list.cohorts.push({ ...once, provisions: ['8702.10.31.00'] }),
      ': a provision is listed twice at once',
    ],
    [
      'a provision listed again on its last day',
      list => {
        list.cohorts = [
          { ...once, effective_from: '2026-01-01' },
          { ...once, effective_to: '2026-01-01' },
        ];
      },
      ': a provision is listed twice at once',
    ],
    [
      'a provision that is no HTS number',
      list => (list.cohorts[0].provisions[0] = '8702.1'),
      'cohorts.0.provisions.0: ',
    ],
    ['words before a provision', list => (list.cohorts[0].provisions[0] = 'ex 8702.10'), 'cohorts.0.provisions.0: '],
    ['a heading outside chapter 99', list => (list.terms[0].headings = ['8702.10.31']), 'terms.0.headings.0: '],
    ['words before a heading', list => (list.terms[0].headings = ['heading 9903.74.02']), 'terms.0.headings.0: '],
    ['words after a heading', list => (list.terms[0].headings = ['9903.74.02 (new)']), 'terms.0.headings.0: '],
    ['an id in capitals', list => (list.id = 'Buses-38c'), 'id: '],
    ['an id that is a path', list => (list.id = 'buses-38c/'), 'id: '],
    ['a field that nobody reads', list => (list.comment = 'x'), ': Unrecognized key'],
  ])('is one with %s', (_, change, problem) => {
    expect(problems(change)).toContain(problem);
  });
});

describe('a file of headings', () => {
  const file = JSON.parse(readFileSync(new URL('./headings/note-38.json', import.meta.url), 'utf8'));
  const [{ origins, ...heading }] = file.headings;
  const problems = (change: object) => problemsOf(headingsSchema, { ...file, headings: [{ ...heading, ...change }] });

  it.each<[string, object]>([
    ['a fact', {}],
    ['an origin', { origins, when: [] }],
  ])('has alternatives that %s decides', (_, change) => {
    expect(problems(change)).toBeNull();
  });

  it.each<[string, object, string]>([
    ['neither an origin nor a fact', { when: [] }, 'headings.0: an alternative needs an origin or a fact'],
    ['an end before its beginning', { effective_to: '2026-04-22' }, 'headings.0: ends before it begins'],
    ['an origin that is no code of two letters', { origins: ['CAN'] }, 'headings.0.origins.0: '],
    ['an exception that is none', { except_origins: ['CAN'] }, 'headings.0.except_origins.0: '],
    ['a heading for a chapter', { chapters: ['8702'] }, 'headings.0.chapters.0: '],
  ])('does not load with %s', (_, change, problem) => {
    expect(problems(change)).toContain(problem);
  });
});

const research = new URL('../../../../../../shared/data/section232.json', import.meta.url);
describe.skipIf(!existsSync(research))(
  'the edition against ../shared/data/section232.json (skipped without it)',
  () => {
    it('holds the same listings on the same dates at the same rates', () => {
      const { rows } = JSON.parse(readFileSync(research, 'utf8'));
      const key = (parts: unknown[]) => parts.join(' | ');
      const theirs = rows.map((row: Record<string, never>) =>
        key([
          ...[row.program, row.role, row.hts, row.annex && String(row.annex).replace(' (scheduled)', ''), row.rate_pct],
          ...[String(row.value_basis).startsWith('metal') ? 'metal_content_value' : row.value_basis],
          ...[row.effective_from, row.effective_to],
        ]),
      );
      const ours = PROVISIONS.flatMap(provision =>
        provision.listings.flatMap(({ term, effective_from, effective_to }) => {
          if (effective_to !== null && effective_to < effective_from) return [];
          const { list, hts } = provision;
          const { annex, rate_pct, value_basis } = term;
          return [key([list.program, list.role, hts, annex, rate_pct, value_basis, effective_from, effective_to])];
        }),
      );
      expect(ours.sort()).toEqual(theirs.sort());
    });
  },
);
