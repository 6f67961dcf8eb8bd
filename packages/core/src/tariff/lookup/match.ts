import type { Dataset, DateBasis, DatedInterval, Duty, Role, TariffList } from '../dataset/dataset.ts';
import type { DatasetIndex } from '../dataset/dataset-index.ts';
import type { Program } from '../dataset/programs.ts';
import type { Listing, Provision } from '../dataset/provisions.ts';
import { pairRelation } from '../dataset/stacking.ts';
import { includesDate } from '../dates.ts';
import { type Condition, dutyOn, type Outcome } from './duty.ts';

/**
 * A limitation of the listing data, such as an inferred date, a secondary source, or an exemption that isn't modeled.
 */
export interface Caveat {
  id: string;
  text: string;
}

/** A listing that covers a code fully or partially. */
export interface Match extends DatedInterval, Duty {
  /** The list's ID, which is also its folder name. */
  list: string;
  program: Program;
  role: Role;
  /** The provision as printed in the list. */
  hts: string;
  /**
   * Coverage of the code: `full` if the provision covers the entire code, or `partial` if the provision is a
   * subdivision of the code.
   */
  coverage: 'full' | 'partial';
  /** The proclamation's annex, or null if the list is only in a U.S. note. */
  annex: string | null;
  /**
   * Start date of this duty for the provision. If the heading for the origin is newer than the listing, this date is
   * later than `effective_from`.
   */
  duty_from: string;
  /** Basis for the date in `duty_from`. */
  duty_dated_by: DateBasis;
  /** Conditions that the goods must meet for this duty to apply. */
  conditions: Condition[];
  /** Every possible duty for the origin, starting with this match's duty. Empty if the origin wasn't specified. */
  outcomes: Outcome[];
  /** Facts that determine whether this duty or another one applies (`origin` or condition IDs), if any. */
  undecided: string[];
  /** Other programs that list the code and whose duty, if owed, replaces this duty. */
  yields_to: Program[];
  /**
   * The duty for the same origin when the list's next term starts, or null if no later term is known to apply to the
   * provision.
   */
  next: (Duty & { effective_from: string; annex: string | null }) | null;
  caveats: Caveat[];
  /** Citation of the act, its annex, and the U.S. note. */
  citation: string;
  /** IDs of the match's sources in `list.sources`. */
  sources: string[];
}

/**
 * Returns the match for a provision and its listing in force on a date.
 *
 * @param lists every list that includes the code on the date
 */
export function matchOf(
  provision: Provision,
  listing: Listing,
  coverage: 'full' | 'partial',
  { index, date, origin }: { readonly index: DatasetIndex; readonly date: string; readonly origin: string | null },
  lists: readonly TariffList[],
): Match {
  const { dataset } = index;
  const { list, batch } = provision;
  const { term, effective_from, effective_to, dated_by, citation, sources } = listing;
  const assessed = dutyOn(index, provision, listing, date, origin, lists);
  const { duty, duty_from, duty_dated_by, conditions, outcomes, undecided, caveats } = assessed;
  const programs = [...new Set(lists.map(({ program }) => program))];
  return {
    list: list.id,
    program: list.program,
    role: list.role,
    hts: provision.hts,
    coverage,
    annex: term.annex,
    ...duty,
    effective_from,
    effective_to,
    dated_by,
    duty_from,
    duty_dated_by,
    conditions,
    outcomes,
    undecided,
    yields_to: programs.filter(
      program => pairRelation(dataset.stacking, program, list.program, date)?.winner === program,
    ),
    next: nextTerm(index, provision, listing, origin, lists),
    caveats: caveatsOf(dataset, [
      ...provision.caveats,
      ...(batch.caveats ?? []),
      ...(term.caveats ?? []),
      ...caveats,
      ...(list.membership_verified_from && date < list.membership_verified_from ? ['membership_not_verified'] : []),
    ]),
    citation,
    sources: [...sources],
  };
}

/** Returns the caveats with the given IDs, without duplicates. */
export function caveatsOf({ caveats }: Dataset, ids: readonly string[]): Caveat[] {
  return [...new Set(ids)].map(id => ({ id, text: caveats[id]! }));
}

function nextTerm(
  index: DatasetIndex,
  provision: Provision,
  listing: Listing,
  origin: string | null,
  lists: readonly TariffList[],
): Match['next'] {
  const { listings } = provision;
  const next = listings[listings.indexOf(listing) + 1];
  // If the provision is removed from the list before the next term starts, that term never applies.
  if (!next || !includesDate(next, next.effective_from)) return null;
  const { effective_from, term } = next;
  return { effective_from, annex: term.annex, ...dutyOn(index, provision, next, effective_from, origin, lists).duty };
}
