import type { Interval, Role } from '../edition/edition.ts';
import type { Program } from '../edition/programs.ts';
import { type Listing, lineage, listingOn, membership, type Provision, type Stem } from '../edition/provisions.ts';
import { type Match, matchOf } from './match.ts';

/** What a look-up is asked for; the same for all of its codes. */
export interface Query {
  readonly date: string;
  readonly programs: ReadonlySet<Program>;
  readonly origin: string | null;
}

/** `hit`, then `in_scope`, then `adjacent`, then `clear`: the first that is true. `invalid`: the text is no HTS code. */
export type Status = 'hit' | 'in_scope' | 'adjacent' | 'clear' | 'invalid';

/**
 * How a listing is near a code: in force under the same 8-, 6- or 4-digit stem, or covering the code (or a provision below
 * a code with fewer digits) on an earlier (`former`) or later (`upcoming`) date.
 */
export type Relation = 'upcoming' | 'former' | 'same_8_digit' | 'same_6_digit' | 'same_4_digit';

/** A listing near a code that no listing covers. */
export interface AdjacentHit extends Interval {
  relation: Relation;
  hts: string;
  list: string;
  program: Program;
  role: Role;
  annex: string | null;
  citation: string;
}

/** A listing of a program that was not asked for: in force, or to come. */
export interface OtherProgram extends Interval {
  program: Program;
  list: string;
  role: Role;
  hts: string;
  coverage: 'full' | 'partial';
  citation: string;
}

/** What the lists say of all codes that stand in the same place among the listings. */
export interface Finding {
  readonly hit: boolean;
  readonly in_scope: boolean;
  readonly status: Status;
  readonly coverage: 'full' | 'partial' | null;
  readonly matches: readonly Match[];
  readonly adjacent_hits: readonly AdjacentHit[];
  readonly other_programs: readonly OtherProgram[];
}

/** The provisions at a place: those that cover its codes whole, and those that are parts of it. */
interface Place {
  readonly full: readonly Provision[];
  readonly partial: readonly Provision[];
}

/** How many neighbours a finding names. */
export const MAX_ADJACENT = 10;

/**
 * What the lists say at a place among the stems.
 *
 * @param stem the longest stem that the code starts with
 * @param exact whether the code is that stem; if not, the provisions below it are neighbours and not parts
 */
export function findingAt(stem: Stem, exact: boolean, query: Query): Finding {
  const place = { full: lineage(stem).flatMap(above => above.at), partial: exact ? stem.below : [] };
  const matches = [...inForce(place, 'full', query), ...inForce(place, 'partial', query)];
  const hit = matches.some(match => match.coverage === 'full' && match.role === 'derivative');
  const in_scope = matches.length > 0;
  const adjacent_hits = in_scope
    ? []
    : neighbours(exact ? stem.parent : stem, [...place.full, ...place.partial], query);
  return {
    hit,
    in_scope,
    status: statusOf(hit, in_scope, adjacent_hits.length > 0),
    coverage: matches[0]?.coverage ?? null,
    matches,
    adjacent_hits,
    other_programs: [...others(place.full, 'full', query), ...others(place.partial, 'partial', query)],
  };
}

function statusOf(hit: boolean, inScope: boolean, adjacent: boolean): Status {
  if (hit) return 'hit';
  if (inScope) return 'in_scope';
  return adjacent ? 'adjacent' : 'clear';
}

/** Describes those of the provisions that are in force and were asked for. */
function inForce(place: Place, coverage: 'full' | 'partial', query: Query): Match[] {
  return place[coverage].flatMap(provision => {
    const listing = query.programs.has(provision.list.program) && listingOn(provision, query.date);
    if (!listing) return [];
    return [matchOf(provision, listing, coverage, query.date, query.origin, programsOf(provision, place, query))];
  });
}

/** The programs that list the same code on the date, asked for or not. */
function programsOf(provision: Provision, place: Place, query: Query): Program[] {
  const programs = new Set<Program>();
  const note = (other: Provision) => listingOn(other, query.date) && programs.add(other.list.program);
  place.full.forEach(note);
  place.partial.filter(({ prefix }) => provision.prefix.startsWith(prefix)).forEach(note);
  return [...programs];
}

function others(provisions: readonly Provision[], coverage: 'full' | 'partial', query: Query): OtherProgram[] {
  return provisions.flatMap(provision => {
    const { list, hts, listings } = provision;
    const interval = membership(listings);
    const over = interval.effective_to !== null && interval.effective_to < query.date;
    if (query.programs.has(list.program) || over) return [];
    const begun = interval.effective_from > query.date ? interval.effective_from : query.date;
    const { citation } = listingOn(provision, begun) ?? listings[0]!;
    return [{ program: list.program, list: list.id, role: list.role, hts, coverage, ...interval, citation }];
  });
}

/** Listings of another date first, as they concern the code itself; then the siblings, nearest stem first. */
function neighbours(nearest: Stem | null, own: readonly Provision[], query: Query): AdjacentHit[] {
  const found = ofAnotherDate(own, query);
  const seen = new Set<Provision>(own);
  for (const stem of nearest ? lineage(nearest) : []) {
    for (const provision of stem.below) {
      if (found.length >= MAX_ADJACENT) break;
      if (seen.has(provision)) continue;
      seen.add(provision);
      const listing = query.programs.has(provision.list.program) && listingOn(provision, query.date);
      if (listing) found.push(adjacentHit(`same_${stem.digits.length as 8 | 6 | 4}_digit`, provision, listing));
    }
  }
  return found.slice(0, MAX_ADJACENT);
}

/** Of each program and provision the next listing to come and the last that ended, soonest change first. */
function ofAnotherDate(provisions: readonly Provision[], query: Query): AdjacentHit[] {
  const upcoming = new Map<string, AdjacentHit>();
  const former = new Map<string, AdjacentHit>();
  for (const provision of provisions) {
    if (!query.programs.has(provision.list.program)) continue;
    const key = `${provision.list.program} ${provision.prefix}`;
    for (const listing of provision.listings) {
      if (listing.effective_to !== null && listing.effective_to < listing.effective_from) continue;
      if (listing.effective_from > query.date) {
        const known = upcoming.get(key);
        if (!known || listing.effective_from < known.effective_from) {
          upcoming.set(key, adjacentHit('upcoming', provision, listing));
        }
      } else {
        const known = former.get(key);
        if (!known || listing.effective_to! > known.effective_to!) {
          former.set(key, adjacentHit('former', provision, listing));
        }
      }
    }
  }
  return [
    ...[...upcoming.values()].sort((a, b) => compareText(a.effective_from, b.effective_from)),
    ...[...former.values()].sort((a, b) => compareText(b.effective_to!, a.effective_to!)),
  ];
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function adjacentHit(relation: Relation, { list, hts }: Provision, listing: Listing): AdjacentHit {
  const { term, effective_from, effective_to, citation } = listing;
  return {
    relation,
    hts,
    list: list.id,
    program: list.program,
    role: list.role,
    annex: term.annex,
    effective_from,
    effective_to,
    citation,
  };
}
