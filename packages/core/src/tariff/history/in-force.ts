import { DATASET, type Dataset, type DatasetName, nameOf, type Role, type Source } from '../dataset/dataset.ts';
import { indexOf } from '../dataset/dataset-index.ts';
import type { Program } from '../dataset/programs.ts';
import { listingOn } from '../dataset/provisions.ts';
import { notice } from '../lookup/lookup.ts';
import { requireDate } from '../lookup/options.ts';

/** A list with listings in force on a date. */
export interface ListInForce {
  id: string;
  title: string;
  program: Program;
  role: Role;
  /** The U.S. note that contains the list. */
  note: string;
  /** Number of listings in force on the date. */
  listings: number;
}

/** A data set's lists in force on a date, with listing counts and sources. */
export interface ListsInForce extends DatasetName {
  /** The newest official text included in the data set. */
  latest_material: string;
  as_of: string;
  /** A warning that the data set might be outdated for this date, or null. */
  notice: string | null;
  /** Number of listings in force for each program, by role, including programs without listings. */
  programs: { program: Program; articles: number; derivatives: number }[];
  lists: ListInForce[];
  /** All sources in the data set, by ID. */
  sources: Record<string, Source>;
}

/**
 * Returns the lists in force on a date, with listing counts, totals by program, and all sources. A provision on two
 * lists is counted once per list.
 *
 * @throws LookupOptionError if the date is invalid
 * @example
 * const { programs } = listsInForce('2026-10-01');
 * programs[0] // { program: 'steel', articles: 39, derivatives: 478 }
 */
export function listsInForce(asOf: string, dataset: Dataset = DATASET): ListsInForce {
  requireDate(asOf);
  const inForce = indexOf(dataset).provisions.filter(provision => listingOn(provision, asOf));
  const count = (program: Program, role: Role) =>
    inForce.filter(({ list }) => list.program === program && list.role === role).length;
  const lists = dataset.lists.flatMap(({ id, title, program, role, note }) => {
    const listings = inForce.filter(({ list }) => list.id === id).length;
    return listings > 0 ? [{ id, title, program, role, note, listings }] : [];
  });
  return {
    ...nameOf(dataset),
    latest_material: dataset.latest_material,
    as_of: asOf,
    notice: notice(asOf, dataset),
    programs: Object.keys(dataset.programs).map(program => ({
      program,
      articles: count(program, 'article'),
      derivatives: count(program, 'derivative'),
    })),
    lists,
    sources: dataset.sources,
  };
}
