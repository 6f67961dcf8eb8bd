import { DATASET, type Dataset, type Role, type Source, type TariffList, type Term } from '../dataset/dataset.ts';
import { type DatasetIndex, indexOf } from '../dataset/dataset-index.ts';
import type { Program } from '../dataset/programs.ts';
import { addDays, includesDate } from '../dates.ts';
import { type Caveat, caveatsOf } from '../lookup/match.ts';

/** A list's history, including its effective dates, duties, provision counts, and sources. */
export interface ListHistory {
  id: string;
  title: string;
  program: Program;
  role: Role;
  /** The U.S. note that contains the list. */
  note: string;
  /** First date when any provision is in force, in YYYY-MM-DD format. */
  effective_from: string;
  /** Last date when any provision is in force, or null if open-ended. */
  effective_to: string | null;
  /** The list's duties, in chronological order. */
  terms: Omit<Term, 'caveats' | 'sources' | 'conditions'>[];
  /** Provision counts, with one row for each date when the count changes. The last count is open-ended. */
  counts: { from: string; provisions: number; citations: string[] }[];
  /**
   * Earliest date for which the provisions were verified against an official text from that time. Null if all dates
   * were verified.
   */
  verified_from: string | null;
  /** Known limitations of the data for the list or some of its provisions. */
  caveats: Caveat[];
  /** The list's sources. */
  sources: (Source & { id: string })[];
}

/**
 * Returns the history of every list, in data set order, including scheduled changes.
 *
 * @example
 * const steel = listHistories().find(({ id }) => id === 'steel-16n');
 * steel.counts[0] // { from: '2025-03-12', provisions: 12, citations: ['Proclamation 10896 (90 FR 9817)'] }
 */
export function listHistories(dataset: Dataset = DATASET): ListHistory[] {
  const index = indexOf(dataset);
  return dataset.lists.map(list => {
    const counts = countsOf(list);
    const last = counts.at(-1)!;
    return {
      id: list.id,
      title: list.title,
      program: list.program,
      role: list.role,
      note: list.note,
      effective_from: counts[0]!.from,
      effective_to: last.provisions > 0 ? null : addDays(last.from, -1),
      terms: list.terms.map(({ caveats: _, sources: __, conditions: ___, ...term }) => term),
      counts,
      verified_from: list.membership_verified_from ?? null,
      caveats: caveatsIn(list, index),
      sources: [...new Set([...list.terms, ...list.batches].flatMap(({ sources }) => sources))].map(id => ({
        id,
        ...dataset.sources[id]!,
      })),
    };
  });
}

function countsOf({ terms, batches }: TariffList): ListHistory['counts'] {
  const intervals = [...terms, ...batches];
  const starts = intervals.map(({ effective_from }) => effective_from);
  const ends = intervals.map(({ effective_to }) => effective_to).filter(end => end !== null);
  const rows = [...new Set([...starts, ...ends.map(end => addDays(end, 1))])].sort().map(from => {
    const inForce = terms.some(term => includesDate(term, from))
      ? batches.filter(batch => includesDate(batch, from))
      : [];
    const added = batches.filter(batch => batch.effective_from === from);
    return {
      from,
      provisions: inForce.reduce((sum, { provisions }) => sum + provisions.length, 0),
      citations: [...new Set(added.map(({ citation }) => citation))],
    };
  });
  return rows.filter(({ provisions }, i) => provisions !== (rows[i - 1]?.provisions ?? 0));
}

function caveatsIn(list: TariffList, { dataset, provisions: all }: DatasetIndex): Caveat[] {
  const provisions = all.filter(provision => provision.list === list);
  const named = [...list.terms, ...list.batches, ...provisions].flatMap(({ caveats = [] }) => caveats);
  return caveatsOf(dataset, named);
}
