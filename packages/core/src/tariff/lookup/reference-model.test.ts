import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Batch, DATASET, type Interval, type TariffList, type Term } from '../dataset/dataset.ts';
import { ALL_PROGRAMS, METALS, type Program } from '../dataset/programs.ts';
import { pairRelation } from '../dataset/stacking.ts';
import { lookup } from './lookup.ts';

/** A provision taken directly from the data set, without a trie or an index. */
interface Listed {
  readonly list: TariffList;
  readonly hts: string;
  readonly prefix: string;
  readonly batch: Batch;
  readonly conditions: readonly string[];
  readonly caveats: readonly string[];
}

const matchedPart = (digits: string) => (/^\d{8}00$/.test(digits) ? digits.slice(0, 8) : digits);
const LISTED: readonly Listed[] = DATASET.lists.flatMap(list =>
  list.batches.flatMap(batch =>
    batch.provisions.map(entry => {
      const { hts, conditions = [], caveats = [] } = typeof entry === 'string' ? { hts: entry } : entry;
      return { list, hts, prefix: matchedPart(hts.replaceAll('.', '')), batch, conditions, caveats };
    }),
  ),
);
const LAST_DAY = '9999-12-31';
const within = (date: string, { effective_from, effective_to }: Interval) =>
  date >= effective_from && date <= (effective_to ?? LAST_DAY);
const termsOf = ({ list, batch }: Listed) =>
  list.terms
    .map(term => ({
      term,
      from: term.effective_from > batch.effective_from ? term.effective_from : batch.effective_from,
      to: [term.effective_to ?? LAST_DAY, batch.effective_to ?? LAST_DAY].sort()[0]!,
    }))
    .filter(({ from, to }) => from <= to);
const inForce = (listed: Listed, date: string): Term | undefined =>
  within(date, listed.batch) ? listed.list.terms.find(term => within(date, term)) : undefined;
const name = ({ list, hts }: Listed) => `${list.id} ${hts}`;

const dayAfter = (date: string) => new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);
const changeDatesOf = ({ terms, batches, membership_verified_from: verified }: TariffList) => [
  ...(verified === undefined ? [] : [verified]),
  ...new Set(
    [...terms, ...batches].flatMap(({ effective_from, effective_to }) =>
      effective_to === null ? [effective_from] : [effective_from, effective_to, dayAfter(effective_to)],
    ),
  ),
];
const CHANGE_DATES = new Map(
  DATASET.lists.map(list => [list, [...changeDatesOf(list), '2018-01-01', '2026-11-21', '2031-01-01']]),
);
const programs = fc.oneof(
  fc.constant(ALL_PROGRAMS),
  fc.constant(METALS),
  fc.uniqueArray(fc.constantFrom(...ALL_PROGRAMS), { minLength: 1, maxLength: 3 }),
);
/** Generates listed codes, shorter and longer codes, and adjacent codes, each with a date near a change to its list. */
const codeAndDate = fc
  .tuple(
    fc.constantFrom(...LISTED),
    fc.constantFrom(4, 6, 8, 10),
    fc.nat(9_999),
    fc.integer({ min: 0, max: 4 }),
    fc.nat(1_000),
  )
  .map(([{ prefix, list }, length, rest, kept, day]) => {
    const start = prefix.slice(0, Math.max(4, prefix.length - kept));
    const code = (start + `${rest}`.padStart(10, '0').slice(-6)).padEnd(10, '0').slice(0, length);
    const dates = CHANGE_DATES.get(list)!;
    return { code, asOf: dates[day % dates.length]! };
  });

const listedFor = (code: string, asOf: string, asked: readonly Program[]) => {
  const own = matchedPart(code);
  const full = LISTED.filter(({ prefix }) => own.startsWith(prefix));
  const partial = LISTED.filter(({ prefix }) => prefix.startsWith(own) && prefix.length > own.length);
  const isAsked = ({ list }: Listed) => asked.includes(list.program);
  const counted = (listed: Listed) => isAsked(listed) && inForce(listed, asOf) !== undefined;
  return { own, full, partial, isAsked, counted };
};
const check = (assertion: (code: string, asOf: string, asked: readonly Program[]) => void) =>
  fc.assert(
    fc.property(codeAndDate, programs, ({ code, asOf }, asked) => assertion(code, asOf, asked)),
    { numRuns: 600 },
  );
const ids = (named: readonly { id: string }[]) => named.map(({ id }) => id);
/** Returns the value that a term's rate applies to, for articles in a chapter. */
const basis = ({ full_value_chapters, value_basis }: Term, chapter: string) =>
  full_value_chapters?.includes(chapter) ? 'full_customs_value' : value_basis;
/** Returns the conditions that can apply in a chapter. */
const facts = (some: readonly string[], chapter: string) =>
  some.filter(id => !DATASET.conditions[id]!.except_chapters?.includes(chapter));

describe('lookup compared with a naive reference implementation', () => {
  it('returns the listings in force that cover the code, from longest to shortest, followed by listings of its subdivisions', () => {
    check((code, asOf, asked) => {
      const { full, partial, counted } = listedFor(code, asOf, asked);
      const { matches, hit, in_scope, coverage } = lookup([code], { asOf, programs: asked }).results[0]!;
      const named = (kind: string) =>
        matches.filter(match => match.coverage === kind).map(({ list, hts }) => `${list} ${hts}`);
      expect(named('full').sort()).toEqual(full.filter(counted).map(name).sort());
      expect(named('partial').sort()).toEqual(partial.filter(counted).map(name).sort());
      expect(matches.map(match => match.coverage)).toEqual(matches.map(match => match.coverage).sort());
      const lengths = matches
        .filter(match => match.coverage === 'full')
        .map(({ hts }) => matchedPart(hts.replaceAll('.', '')).length);
      expect(lengths).toEqual([...lengths].sort((a, b) => b - a));
      expect(hit).toBe(full.filter(counted).some(({ list }) => list.role === 'derivative'));
      expect(in_scope).toBe(matches.length > 0);
      expect(coverage).toBe(named('full').length > 0 ? 'full' : in_scope ? 'partial' : null);
    });
  });

  it('returns the annex, duty, dates, and citation of the term in force', () => {
    check((code, asOf, asked) => {
      for (const match of lookup([code], { asOf, programs: asked }).results[0]!.matches) {
        const listed = LISTED.find(
          entry => entry.list.id === match.list && entry.hts === match.hts && within(asOf, entry.batch),
        )!;
        const term = inForce(listed, asOf)!;
        const { from, to } = termsOf(listed).find(entry => entry.term === term)!;
        expect(match).toMatchObject({
          ...{ annex: term.annex, headings: term.headings, rate_pct: term.rate_pct, rate_type: term.rate_type },
          ...{ value_basis: basis(term, match.hts.slice(0, 2)), program: listed.list.program, role: listed.list.role },
          ...{ effective_from: from, effective_to: to === LAST_DAY ? null : to },
        });
        const acts = [...new Set([listed.batch.citation, term.citation])].join(', ');
        const annex = term.annex === null ? '' : `, Annex ${term.annex}`;
        expect(match.citation).toBe(`${acts}${annex}; ${term.note ?? listed.list.note}`);
        expect(match.sources).toEqual(expect.arrayContaining(term.sources));
        const full = LISTED.filter(({ prefix }) => matchedPart(code).startsWith(prefix));
        const narrower = LISTED.filter(
          ({ prefix }) => prefix.startsWith(matchedPart(code)) && !full.some(entry => entry.prefix === prefix),
        );
        const related =
          match.coverage === 'full'
            ? full
            : [...full, ...narrower.filter(({ prefix }) => listed.prefix.startsWith(prefix))];
        const first = related.filter(
          entry =>
            inForce(entry, asOf) &&
            pairRelation(DATASET.stacking, entry.list.program, match.program, asOf)?.winner === entry.list.program,
        );
        expect([...match.yields_to].sort()).toEqual([...new Set(first.map(({ list }) => list.program))].sort());
        const next = termsOf(listed).find(entry => entry.from > to);
        expect([match.next?.effective_from, match.next?.rate_pct]).toEqual([next?.from, next?.term.rate_pct]);
      }
    });
  });

  it('returns the possible duties for each origin and the facts that determine which one applies', () => {
    const origin = fc.constantFrom(undefined, 'DE', 'GB', 'JP', 'KR', 'TW', 'CN', 'RU', 'US');
    const property = fc.property(codeAndDate, origin, ({ code, asOf }, from) => {
      const options = { asOf, programs: 'all', ...(from && { origin: from }) } as const;
      for (const match of lookup([code], options).results[0]!.matches) {
        const listed = LISTED.find(
          entry => entry.list.id === match.list && entry.hts === match.hts && within(asOf, entry.batch),
        )!;
        const term = inForce(listed, asOf)!;
        const chapter = match.hts.slice(0, 2);
        const needed = facts([...listed.conditions, ...(term.conditions ?? [])], chapter);
        const alsoOn = LISTED.filter(entry => listed.prefix.startsWith(entry.prefix) && inForce(entry, asOf));
        const possible = DATASET.headings.filter(
          heading =>
            heading.lists.includes(match.list) &&
            within(asOf, heading) &&
            !alsoOn.some(({ list }) => heading.unless_listed?.includes(list.id)) &&
            (heading.chapters === undefined || heading.chapters.includes(chapter)) &&
            (heading.codes === undefined || heading.codes.some(code => listed.prefix.startsWith(code))) &&
            facts(heading.when, chapter).length === heading.when.length,
        );
        const own = {
          ...{ ...term, value_basis: basis(term, chapter) },
          ...{ program: match.program, when: [] as string[], caveats: [] as string[] },
        };
        const names = (origins: readonly string[]) =>
          origins.includes(from!) || (from === 'DE' && origins.includes('EU'));
        const applicable = possible.filter(
          ({ origins, except_origins }) => (!origins || names(origins)) && !(except_origins && names(except_origins)),
        );
        const outcomes = from
          ? [
              applicable.find(({ when }) => when.length === 0) ?? own,
              ...applicable.filter(
                ({ when }, at) =>
                  when.length > 0 &&
                  !applicable.some(
                    (other, first) =>
                      first < at && other.when.length > 0 && other.when.every(fact => when.includes(fact)),
                  ),
              ),
            ]
          : [];
        expect(match.outcomes.map(({ when, ...outcome }) => ({ ...outcome, when: ids(when) }))).toEqual(
          outcomes.map(({ headings, rate_pct, rate_type, caveats = [], citation, when, ...heading }, at) => ({
            ...{
              headings,
              rate_pct,
              rate_type,
              value_basis: heading.value_basis ?? own.value_basis,
              caveats,
              citation,
            },
            ...{ program: heading.program ?? own.program, when: at === 0 ? needed : when },
            ...{ effective_from: heading.effective_from, dated_by: heading.dated_by },
          })),
        );
        const dated = outcomes[0] ?? own;
        const newest = [dated, listed.batch, term].sort((a, b) => (a.effective_from < b.effective_from ? 1 : -1))[0]!;
        expect(match.duty_from).toBe(newest.effective_from);
        expect([dated, listed.batch, term].map(each => each.dated_by)).toContainEqual(match.duty_dated_by);
        const open = from ? outcomes.slice(1) : possible;
        const isBound = !from && possible.some(({ origins, except_origins }) => origins ?? except_origins);
        expect(match.undecided).toEqual([
          ...(isBound ? ['origin'] : []),
          ...new Set([...needed, ...open.flatMap(({ when }) => when)]),
        ]);
        expect(match.conditions).toEqual(needed.map(id => ({ id, text: DATASET.conditions[id]!.text })));
        const { caveats: ofBatch = [] } = listed.batch;
        const unread = listed.list.membership_verified_from ?? '';
        expect(match.caveats).toEqual(
          [
            ...new Set([
              ...[...listed.caveats, ...ofBatch, ...(term.caveats ?? []), ...(outcomes[0]?.caveats ?? [])],
              ...(asOf < unread ? ['membership_not_verified'] : []),
            ]),
          ].map(id => ({ id, text: DATASET.caveats[id] })),
        );
      }
    });
    fc.assert(property, { numRuns: 600 });
  });

  it('returns the current and upcoming listings of other programs', () => {
    check((code, asOf, asked) => {
      const { full, partial, isAsked } = listedFor(code, asOf, asked);
      const hasEnded = (listed: Listed) => termsOf(listed).every(({ to }) => to < asOf);
      const expected = (some: readonly Listed[], kind: string) =>
        some.filter(listed => !isAsked(listed) && !hasEnded(listed)).map(listed => `${name(listed)} ${kind}`);
      const { other_programs } = lookup([code], { asOf, programs: asked }).results[0]!;
      for (const { list, hts, effective_from, citation } of other_programs) {
        const day = effective_from > asOf ? effective_from : asOf;
        const terms = LISTED.filter(entry => entry.list.id === list && entry.hts === hts).map(entry =>
          inForce(entry, day),
        );
        const known = terms.filter(term => term !== undefined);
        if (known.length > 0) expect(known.some(term => citation.includes(term.citation))).toBe(true);
      }
      expect(other_programs.map(({ list, hts, coverage }) => `${list} ${hts} ${coverage}`).sort()).toEqual(
        [...expected(full, 'full'), ...expected(partial, 'partial')].sort(),
      );
    });
  });

  it('returns an unlisted code’s upcoming and former listings, followed by its nearest listings', () => {
    check((code, asOf, asked) => {
      const { own, full, partial, isAsked, counted } = listedFor(code, asOf, asked);
      const { in_scope, adjacent_hits, status } = lookup([code], { asOf, programs: asked }).results[0]!;
      if (in_scope) {
        expect(adjacent_hits).toEqual([]);
        return;
      }
      expect(status).toBe(adjacent_hits.length > 0 ? 'adjacent' : 'clear');
      for (const { list, hts, effective_from, effective_to, annex, citation } of adjacent_hits) {
        const spans = LISTED.filter(entry => entry.list.id === list && entry.hts === hts).flatMap(termsOf);
        const span = spans.find(({ from, to }) => from === effective_from && to === (effective_to ?? LAST_DAY));
        expect(span?.term.annex).toBe(annex);
        expect(citation).toContain(span!.term.citation);
      }

      const spans = [...full, ...partial]
        .filter(isAsked)
        .flatMap(listed => termsOf(listed).map(span => ({ ...span, key: `${listed.list.program} ${listed.prefix}` })));
      const [to_come, gone] = [spans.filter(({ from }) => from > asOf), spans.filter(({ to }) => to < asOf)];
      const keys = (some: typeof spans) => [...new Set(some.map(({ key }) => key))];
      const soonest = keys(to_come)
        .map(
          key =>
            to_come
              .filter(span => span.key === key)
              .map(({ from }) => from)
              .sort()[0]!,
        )
        .sort();
      const latest = keys(gone)
        .map(
          key =>
            gone
              .filter(span => span.key === key)
              .map(({ to }) => to)
              .sort()
              .at(-1)!,
        )
        .sort()
        .reverse();
      const others = LISTED.filter(listed => counted(listed) && !full.includes(listed) && !partial.includes(listed));
      const near = [8, 6, 4].flatMap(length =>
        length <= own.length
          ? others
              .filter(({ prefix }) => shared(prefix, own) === length && prefix.length > length)
              .map(() => `same_${length}_digit`)
          : [],
      );
      const expected = [...soonest.map(from => `upcoming ${from}`), ...latest.map(to => `former ${to}`), ...near];
      const named = adjacent_hits.map(({ relation, effective_from, effective_to }) =>
        relation === 'upcoming'
          ? `upcoming ${effective_from}`
          : relation === 'former'
            ? `former ${effective_to}`
            : relation,
      );
      expect(named).toEqual(expected.slice(0, 10));
    });
  });
});

/** Returns the number of leading digits that two codes share (0, 4, 6, 8, or 10). */
function shared(a: string, b: string): number {
  for (const length of [10, 8, 6, 4]) {
    if (a.length >= length && b.length >= length && a.slice(0, length) === b.slice(0, length)) return length;
  }
  return 0;
}
