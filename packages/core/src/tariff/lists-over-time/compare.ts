import { type Duty, EDITION, type Role } from '../edition/edition.ts';
import { ALL_PROGRAMS, type Program } from '../edition/programs.ts';
import { lineage, listingOn, longestStem, PROVISIONS, type Provision } from '../edition/provisions.ts';
import { requireDate } from '../lookup/lookup.ts';
import { prefixOf } from '../nomenclature/hts-code.ts';

/** A listing as it stands on one date. */
export interface ListingState extends Duty {
  list: string;
  role: Role;
  hts: string;
  annex: string | null;
  citation: string;
}

/** What became of a provision of a program between two dates. */
export interface ListingChange {
  program: Program;
  hts: string;
  /** The listing on the earlier date; null when it was not listed. */
  before: ListingState | null;
  /** The listing on the later date; null when it is not listed. */
  after: ListingState | null;
  /**
   * For a removal: whether the same program still covers the provision through another listing. `partly` when only
   * provisions below it are listed, `fully` when a wider one is; null for other changes.
   */
  still_covered: 'no' | 'partly' | 'fully' | null;
  /** The act that removed it by name, if one did. */
  removed_by: string | null;
}

/** The difference between the lists on two dates. A provision that moves to another annex at another rate is in both lists. */
export interface ListDiff {
  from: string;
  to: string;
  programs: Program[];
  version: string;
  added: ListingChange[];
  removed: ListingChange[];
  moved: ListingChange[];
  rate_changed: ListingChange[];
}

/**
 * Compares the lists on two dates: what was added, removed, moved to another annex, or charged differently. Provisions are
 * compared by program and digits, so a listing that only changed from `8431.20.00` to `8431.20.00.00` has not changed.
 *
 * @throws LookupOptionError when a date is none
 * @example compare('2026-06-07', '2026-06-08').moved.length // 65
 */
export function compare(from: string, to: string, programs: readonly Program[] = ALL_PROGRAMS): ListDiff {
  for (const date of [from, to]) requireDate(date);
  const before = listingsOn(from, programs);
  const after = listingsOn(to, programs);
  const diff: ListDiff = {
    from,
    to,
    programs: [...programs],
    version: EDITION.version,
    added: [],
    removed: [],
    moved: [],
    rate_changed: [],
  };
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [a, b] = [before.get(key), after.get(key)];
    const provision = (a ?? b)!;
    const change: ListingChange = {
      program: provision.list.program,
      hts: provision.hts,
      before: a ? state(a, from) : null,
      after: b ? state(b, to) : null,
      still_covered: b ? null : stillCovered(provision, to),
      removed_by: b ? null : removedBy(provision, from, to),
    };
    if (!change.before) diff.added.push(change);
    else if (!change.after) diff.removed.push(change);
    else {
      if (change.before.annex !== change.after.annex) diff.moved.push(change);
      if (duty(change.before) !== duty(change.after)) diff.rate_changed.push(change);
    }
  }
  return diff;
}

/** Listings in force by `<digits> <program>`, in the order of their digits. */
function listingsOn(date: string, programs: readonly Program[]): Map<string, Provision> {
  const listings = new Map<string, Provision>();
  for (const provision of PROVISIONS) {
    const { program } = provision.list;
    if (programs.includes(program) && listingOn(provision, date))
      listings.set(`${provision.prefix} ${program}`, provision);
  }
  return listings;
}

function state(provision: Provision, date: string): ListingState {
  const { term, citation } = listingOn(provision, date)!;
  const { annex, headings, rate_pct, rate_type, value_basis } = term;
  const { list, hts } = provision;
  return { list: list.id, role: list.role, hts, annex, headings, rate_pct, rate_type, value_basis, citation };
}

function duty({ headings, rate_pct, rate_type, value_basis }: Duty): string {
  return JSON.stringify([headings, rate_pct, rate_type, value_basis]);
}

function stillCovered({ prefix, list }: Provision, date: string): 'no' | 'partly' | 'fully' {
  const covers = (other: Provision) => other.list.program === list.program && listingOn(other, date) !== undefined;
  const stem = longestStem(prefix)!;
  if (stem.parent && lineage(stem.parent).some(above => above.at.some(covers))) return 'fully';
  return stem.below.some(covers) ? 'partly' : 'no';
}

function removedBy({ prefix, list }: Provision, from: string, to: string): string | null {
  const names = (hts: string) => prefixOf(hts) === prefix;
  const removal = EDITION.removals.find(
    ({ effective, removed }) => from < effective && effective <= to && removed[list.program]?.some(names),
  );
  return removal?.citation ?? null;
}
