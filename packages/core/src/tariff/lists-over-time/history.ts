import { holds } from '../dates.ts';
import { EDITION, type Role, type Source, type TariffList, type Term } from '../edition/edition.ts';
import type { Program } from '../edition/programs.ts';
import { PROVISIONS } from '../edition/provisions.ts';

/** One list over time: what it is, when it was in force, how many provisions it held, and how that is known. */
export interface ListHistory {
  id: string;
  title: string;
  program: Program;
  role: Role;
  /** The U.S. note that holds the list. */
  note: string;
  /** First day of force of any provision, YYYY-MM-DD. */
  effective_from: string;
  /** Last day of force of any provision; null while open. */
  effective_to: string | null;
  /** What was charged when, earliest first. */
  terms: Omit<Term, 'caveats' | 'sources' | 'conditions'>[];
  /** How many provisions were in force from a date on, a row for each date on which that changed; the last holds until today. */
  counts: { from: string; provisions: number; citations: string[] }[];
  /** Before this date the membership was not read in a text of its time; null when all was. */
  verified_from: string | null;
  /** What a reader should know of the list or some of its provisions, by id. */
  caveats: { id: string; text: string }[];
  /** Where the list was read, by id. */
  sources: (Source & { id: string })[];
}

/**
 * Every list of the edition over time, in the edition's order. A change that lies ahead is in it, with its date.
 *
 * @example
 * const steel = listHistories().find(({ id }) => id === 'steel-16n');
 * steel.counts[0] // { from: '2025-03-12', provisions: 12, citations: ['Proclamation 10896 (90 FR 9817)'] }
 */
export function listHistories(): ListHistory[] {
  return EDITION.lists.map(list => {
    const counts = countsOf(list);
    const last = counts.at(-1)!;
    return {
      id: list.id,
      title: list.title,
      program: list.program,
      role: list.role,
      note: list.note,
      effective_from: counts[0]!.from,
      effective_to: last.provisions > 0 ? null : daysFrom(last.from, -1),
      terms: list.terms.map(({ caveats: _, sources: __, conditions: ___, ...term }) => term),
      counts,
      verified_from: list.membership_verified_from ?? null,
      caveats: caveatsOf(list),
      sources: [...new Set([...list.terms, ...list.cohorts].flatMap(({ sources }) => sources))].map(id => ({
        id,
        ...EDITION.sources[id]!,
      })),
    };
  });
}

function countsOf({ terms, cohorts }: TariffList): ListHistory['counts'] {
  const intervals = [...terms, ...cohorts];
  const starts = intervals.map(({ effective_from }) => effective_from);
  const ends = intervals.map(({ effective_to }) => effective_to).filter(end => end !== null);
  const rows = [...new Set([...starts, ...ends.map(end => daysFrom(end, 1))])].sort().map(from => {
    const inForce = terms.some(term => holds(term, from)) ? cohorts.filter(cohort => holds(cohort, from)) : [];
    const coming = cohorts.filter(cohort => cohort.effective_from === from);
    return {
      from,
      provisions: inForce.reduce((sum, { provisions }) => sum + provisions.length, 0),
      citations: [...new Set(coming.map(({ citation }) => citation))],
    };
  });
  return rows.filter(({ provisions }, i) => provisions !== (rows[i - 1]?.provisions ?? 0));
}

function caveatsOf(list: TariffList): ListHistory['caveats'] {
  const provisions = PROVISIONS.filter(provision => provision.list === list);
  const named = [...list.terms, ...list.cohorts, ...provisions].flatMap(({ caveats = [] }) => caveats);
  return [...new Set(named)].map(id => ({ id, text: EDITION.caveats[id]! }));
}

function daysFrom(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
}
