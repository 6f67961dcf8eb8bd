import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Cohort, EDITION, type Interval, type TariffList, type Term } from '../edition/edition.ts';
import { ALL_PROGRAMS, excludes, METALS, type Program } from '../edition/programs.ts';
import { lookup } from './lookup.ts';

/** A number of a list, read straight from the edition: no stems, no index. */
interface Listed {
  readonly list: TariffList;
  readonly hts: string;
  readonly prefix: string;
  readonly cohort: Cohort;
  readonly conditions: readonly string[];
  readonly caveats: readonly string[];
}

const undivided = (digits: string) => (/^\d{8}00$/.test(digits) ? digits.slice(0, 8) : digits);
const LISTED: readonly Listed[] = EDITION.lists.flatMap(list =>
  list.cohorts.flatMap(cohort =>
    cohort.provisions.map(entry => {
      const { hts, conditions = [], caveats = [] } = typeof entry === 'string' ? { hts: entry } : entry;
      return { list, hts, prefix: undivided(hts.replaceAll('.', '')), cohort, conditions, caveats };
    }),
  ),
);
const LAST_DAY = '9999-12-31';
const within = (date: string, { effective_from, effective_to }: Interval) =>
  date >= effective_from && date <= (effective_to ?? LAST_DAY);
const termsOf = ({ list, cohort }: Listed) =>
  list.terms
    .map(term => ({
      term,
      from: term.effective_from > cohort.effective_from ? term.effective_from : cohort.effective_from,
      to: [term.effective_to ?? LAST_DAY, cohort.effective_to ?? LAST_DAY].sort()[0]!,
    }))
    .filter(({ from, to }) => from <= to);
const inForce = (listed: Listed, date: string): Term | undefined =>
  within(date, listed.cohort) ? listed.list.terms.find(term => within(date, term)) : undefined;
const name = ({ list, hts }: Listed) => `${list.id} ${hts}`;

const dayAfter = (date: string) => new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);
const turnsOf = ({ terms, cohorts }: TariffList) => [
  ...new Set(
    [...terms, ...cohorts].flatMap(({ effective_from, effective_to }) =>
      effective_to === null ? [effective_from] : [effective_from, effective_to, dayAfter(effective_to)],
    ),
  ),
];
const TURNS = new Map(EDITION.lists.map(list => [list, [...turnsOf(list), '2018-01-01', '2026-11-21', '2031-01-01']]));
const programs = fc.oneof(
  fc.constant(ALL_PROGRAMS),
  fc.constant(METALS),
  fc.uniqueArray(fc.constantFrom(...ALL_PROGRAMS), { minLength: 1, maxLength: 3 }),
);
/** Listed numbers, shorter and longer ones, and their neighbours, about the days on which their list changes. */
const question = fc
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
    const turns = TURNS.get(list)!;
    return { code, asOf: turns[day % turns.length]! };
  });

const answer = (code: string, asOf: string, asked: readonly Program[]) => {
  const own = undivided(code);
  const full = LISTED.filter(({ prefix }) => own.startsWith(prefix));
  const partial = LISTED.filter(({ prefix }) => prefix.startsWith(own) && prefix.length > own.length);
  const isAsked = ({ list }: Listed) => asked.includes(list.program);
  const counted = (listed: Listed) => isAsked(listed) && inForce(listed, asOf) !== undefined;
  return { own, full, partial, isAsked, counted };
};
const check = (holds: (code: string, asOf: string, asked: readonly Program[]) => void) =>
  fc.assert(
    fc.property(question, programs, ({ code, asOf }, asked) => holds(code, asOf, asked)),
    { numRuns: 600 },
  );
const ids = (named: readonly { id: string }[]) => named.map(({ id }) => id);
/** The facts of these that can matter in a chapter. */
const facts = (some: readonly string[], chapter: string) =>
  some.filter(id => !EDITION.conditions[id]!.except_chapters?.includes(chapter));

describe('an answer, held against a plain reading of the lists', () => {
  it('has the listings in force that cover the code, longest number first, then those below it', () => {
    check((code, asOf, asked) => {
      const { full, partial, counted } = answer(code, asOf, asked);
      const { matches, hit, in_scope, coverage } = lookup([code], { asOf, programs: asked }).results[0]!;
      const named = (kind: string) =>
        matches.filter(match => match.coverage === kind).map(({ list, hts }) => `${list} ${hts}`);
      expect(named('full').sort()).toEqual(full.filter(counted).map(name).sort());
      expect(named('partial').sort()).toEqual(partial.filter(counted).map(name).sort());
      expect(matches.map(match => match.coverage)).toEqual(matches.map(match => match.coverage).sort());
      const lengths = matches
        .filter(match => match.coverage === 'full')
        .map(({ hts }) => undivided(hts.replaceAll('.', '')).length);
      expect(lengths).toEqual([...lengths].sort((a, b) => b - a));
      expect(hit).toBe(full.filter(counted).some(({ list }) => list.role === 'derivative'));
      expect(in_scope).toBe(matches.length > 0);
      expect(coverage).toBe(named('full').length > 0 ? 'full' : in_scope ? 'partial' : null);
    });
  });

  it('takes annex, duty, interval and citation of each from the term of the day', () => {
    check((code, asOf, asked) => {
      for (const match of lookup([code], { asOf, programs: asked }).results[0]!.matches) {
        const listed = LISTED.find(
          entry => entry.list.id === match.list && entry.hts === match.hts && within(asOf, entry.cohort),
        )!;
        const term = inForce(listed, asOf)!;
        const { from, to } = termsOf(listed).find(entry => entry.term === term)!;
        expect(match).toMatchObject({
          ...{ annex: term.annex, headings: term.headings, rate_pct: term.rate_pct, rate_type: term.rate_type },
          ...{ value_basis: term.value_basis, program: listed.list.program, role: listed.list.role },
          ...{ effective_from: from, effective_to: to === LAST_DAY ? null : to },
        });
        expect(match.citation).toContain(term.citation);
        expect(match.sources).toEqual(expect.arrayContaining(term.sources));
        const full = LISTED.filter(({ prefix }) => undivided(code).startsWith(prefix));
        const narrower = LISTED.filter(
          ({ prefix }) => prefix.startsWith(undivided(code)) && !full.some(entry => entry.prefix === prefix),
        );
        const beside =
          match.coverage === 'full'
            ? full
            : [...full, ...narrower.filter(({ prefix }) => listed.prefix.startsWith(prefix))];
        const first = beside.filter(entry => inForce(entry, asOf) && excludes(entry.list.program, match.program));
        expect([...match.yields_to].sort()).toEqual([...new Set(first.map(({ list }) => list.program))].sort());
        const next = termsOf(listed).find(entry => entry.from > to);
        expect([match.next?.effective_from, match.next?.rate_pct]).toEqual([next?.from, next?.term.rate_pct]);
      }
    });
  });

  it('has of each origin the duties that are possible, and the facts that decide', () => {
    const origin = fc.constantFrom(undefined, 'DE', 'GB', 'JP', 'KR', 'TW', 'CN', 'RU', 'US');
    const property = fc.property(question, origin, ({ code, asOf }, from) => {
      const options = { asOf, programs: 'all', ...(from && { origin: from }) } as const;
      for (const match of lookup([code], options).results[0]!.matches) {
        const listed = LISTED.find(
          entry => entry.list.id === match.list && entry.hts === match.hts && within(asOf, entry.cohort),
        )!;
        const term = inForce(listed, asOf)!;
        const chapter = match.hts.slice(0, 2);
        const needed = facts([...listed.conditions, ...(term.conditions ?? [])], chapter);
        const possible = EDITION.headings.filter(
          heading =>
            heading.lists.includes(match.list) &&
            within(asOf, heading) &&
            (heading.chapters === undefined || heading.chapters.includes(chapter)) &&
            facts(heading.when, chapter).length === heading.when.length,
        );
        const own = { ...term, when: [] as string[], caveats: [] as string[] };
        const names = (origins: readonly string[]) =>
          origins.includes(from!) || (from === 'DE' && origins.includes('EU'));
        const applicable = possible.filter(
          ({ origins, except_origins }) => (!origins || names(origins)) && !(except_origins && names(except_origins)),
        );
        const outcomes = from
          ? [
              applicable.find(({ when }) => when.length === 0) ?? own,
              ...applicable.filter(({ when }) => when.length > 0),
            ]
          : [];
        expect(match.outcomes.map(({ when, ...outcome }) => ({ ...outcome, when: ids(when) }))).toEqual(
          outcomes.map(({ headings, rate_pct, rate_type, value_basis, caveats = [], citation, when }, at) => ({
            ...{ headings, rate_pct, rate_type, value_basis: value_basis ?? term.value_basis, caveats, citation },
            when: at === 0 ? needed : when,
          })),
        );
        const open = from ? outcomes.slice(1) : possible;
        const isBound = !from && possible.some(({ origins, except_origins }) => origins ?? except_origins);
        expect(match.undecided).toEqual([
          ...(isBound ? ['origin'] : []),
          ...new Set([...needed, ...open.flatMap(({ when }) => when)]),
        ]);
        expect(match.conditions).toEqual(needed.map(id => ({ id, text: EDITION.conditions[id]!.text })));
        const { caveats: ofCohort = [] } = listed.cohort;
        const unread = listed.list.membership_verified_from ?? '';
        expect(match.caveats).toEqual(
          [
            ...new Set([
              ...[...listed.caveats, ...ofCohort, ...(term.caveats ?? []), ...(outcomes[0]?.caveats ?? [])],
              ...(asOf < unread ? ['membership_not_verified'] : []),
            ]),
          ].map(id => ({ id, text: EDITION.caveats[id] })),
        );
      }
    });
    fc.assert(property, { numRuns: 600 });
  });

  it('names the other programs that list the code, or will', () => {
    check((code, asOf, asked) => {
      const { full, partial, isAsked } = answer(code, asOf, asked);
      const isOver = (listed: Listed) => termsOf(listed).every(({ to }) => to < asOf);
      const expected = (some: readonly Listed[], kind: string) =>
        some.filter(listed => !isAsked(listed) && !isOver(listed)).map(listed => `${name(listed)} ${kind}`);
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

  it('names of a code that is not listed what it was and will be, then its nearest neighbours', () => {
    check((code, asOf, asked) => {
      const { own, full, partial, isAsked, counted } = answer(code, asOf, asked);
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

/** How many digits two numbers share, in steps of a heading and then two. */
function shared(a: string, b: string): number {
  for (const length of [10, 8, 6, 4]) {
    if (a.length >= length && b.length >= length && a.slice(0, length) === b.slice(0, length)) return length;
  }
  return 0;
}
