import { EDITION, type Role, type Source } from '../edition/edition.ts';
import { ALL_PROGRAMS, type Program } from '../edition/programs.ts';
import { listingOn, PROVISIONS } from '../edition/provisions.ts';
import { notice, requireDate } from '../lookup/lookup.ts';

/** A list that has listings in force, and how many. */
export interface ListInForce {
  id: string;
  title: string;
  program: Program;
  role: Role;
  /** The U.S. note that holds the list. */
  note: string;
  listings: number;
}

/** The edition that this release carries, and what of it is in force on a date. */
export interface ListsInForce {
  version: string;
  known_through: string;
  /** The newest official text that was worked in. */
  latest_material: string;
  sha256: string;
  as_of: string;
  /** What the reader should know of the lists as a whole on this date; null when nothing. */
  notice: string | null;
  /** Every program, also those without a listing in force. */
  programs: { program: Program; articles: number; derivatives: number }[];
  lists: ListInForce[];
  /** Every source of the edition, by id. */
  sources: Record<string, Source>;
}

/**
 * What is in force on a date: the lists with their counts, the counts by program, and where all of it was read. A provision
 * that two lists name counts in each.
 *
 * @throws LookupOptionError when the date is none
 * @example
 * const { known_through, programs } = listsInForce('2026-10-01');
 * known_through // '2026-10-09'
 */
export function listsInForce(asOf: string): ListsInForce {
  requireDate(asOf);
  const inForce = PROVISIONS.filter(provision => listingOn(provision, asOf));
  const count = (program: Program, role: Role) =>
    inForce.filter(({ list }) => list.program === program && list.role === role).length;
  const lists = EDITION.lists.flatMap(({ id, title, program, role, note }) => {
    const listings = inForce.filter(({ list }) => list.id === id).length;
    return listings > 0 ? [{ id, title, program, role, note, listings }] : [];
  });
  return {
    version: EDITION.version,
    known_through: EDITION.known_through,
    latest_material: EDITION.latest_material,
    sha256: EDITION.sha256,
    as_of: asOf,
    notice: notice(asOf),
    programs: ALL_PROGRAMS.map(program => ({
      program,
      articles: count(program, 'article'),
      derivatives: count(program, 'derivative'),
    })),
    lists,
    sources: EDITION.sources,
  };
}
