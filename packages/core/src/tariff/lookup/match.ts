import { holds } from '../dates.ts';
import { type Duty, EDITION, type Interval, type Role } from '../edition/edition.ts';
import { excludes, type Program } from '../edition/programs.ts';
import type { Listing, Provision } from '../edition/provisions.ts';
import { type Condition, dutyOn, type Outcome } from './duty.ts';

/** A reason for care with a listing: what was inferred, second-hand, scheduled or not modelled. */
export interface Caveat {
  id: string;
  text: string;
}

/** A listing that decided the answer for a code. */
export interface Match extends Interval, Duty {
  /** Id of the list, the name of its folder. */
  list: string;
  program: Program;
  role: Role;
  /** The listed provision as printed. */
  hts: string;
  /** `full`: the provision covers the whole code. `partial`: it lies below a code with fewer digits. */
  coverage: 'full' | 'partial';
  /** Annex of the proclamation; null where the list is in a U.S. note alone. */
  annex: string | null;
  /** What must be true of the goods for this duty. */
  conditions: Condition[];
  /** Every possible duty for the origin, the one above first; empty when no origin was given. */
  outcomes: Outcome[];
  /** The facts that decide between the possible duties (`origin` or condition ids); empty when there is only one. */
  undecided: string[];
  /** The programs that list the code too and whose duty, where it applies, takes the place of this one. */
  yields_to: Program[];
  /** The next term of the same listing, if one is known. */
  next: (Duty & { effective_from: string; annex: string | null }) | null;
  caveats: Caveat[];
  /** The act, its annex and the U.S. note. */
  citation: string;
  /** Where that was read: ids of `list.sources`. */
  sources: string[];
}

/** Describes a provision by its listing in force on a date, beside the other programs that list the code then. */
export function matchOf(
  provision: Provision,
  listing: Listing,
  coverage: 'full' | 'partial',
  date: string,
  origin: string | null,
  programs: readonly Program[],
): Match {
  const { list, cohort } = provision;
  const { term, effective_from, effective_to, citation, sources } = listing;
  const { duty, conditions, outcomes, undecided, caveats } = dutyOn(provision, term, date, origin);
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
    conditions,
    outcomes,
    undecided,
    yields_to: programs.filter(program => excludes(program, list.program)),
    next: nextTerm(provision, listing),
    caveats: caveatsOf([
      ...provision.caveats,
      ...(cohort.caveats ?? []),
      ...(term.caveats ?? []),
      ...caveats,
      ...(list.membership_verified_from && date < list.membership_verified_from ? ['membership_not_verified'] : []),
    ]),
    citation,
    sources: [...sources],
  };
}

function caveatsOf(ids: readonly string[]): Caveat[] {
  return [...new Set(ids)].map(id => ({ id, text: EDITION.caveats[id]! }));
}

function nextTerm({ listings }: Provision, listing: Listing): Match['next'] {
  const next = listings[listings.indexOf(listing) + 1];
  // A provision that leaves the list before the next term is in force on no day of it.
  if (!next || !holds(next, next.effective_from)) return null;
  const { annex, headings, rate_pct, rate_type, value_basis } = next.term;
  return { effective_from: next.effective_from, annex, headings, rate_pct, rate_type, value_basis };
}
