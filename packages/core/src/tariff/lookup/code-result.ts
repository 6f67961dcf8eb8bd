import type { Interval, Role, StackingRelation, TariffList } from '../dataset/dataset.ts';
import type { DatasetIndex } from '../dataset/dataset-index.ts';
import type { Program } from '../dataset/programs.ts';
import {
  type Listing,
  listingOn,
  membership,
  type Provision,
  pathToRoot,
  type TrieNode,
} from '../dataset/provisions.ts';
import { pairRelation } from '../dataset/stacking.ts';
import { prefixOf } from '../nomenclature/hts-code.ts';
import { type Match, matchOf } from './match.ts';

/** Validated lookup options, shared by all codes in the lookup. */
export interface Query {
  readonly index: DatasetIndex;
  readonly date: string;
  readonly programs: ReadonlySet<Program>;
  readonly origin: string | null;
}

/**
 * Lookup status: the first of `hit`, `in_scope`, `adjacent`, and `clear` that applies, or `invalid` if the text isn't
 * an HTS code.
 */
export type Status = 'hit' | 'in_scope' | 'adjacent' | 'clear' | 'invalid';

/**
 * How an adjacent listing relates to a code. `same_*_digit` listings are in force under the same 8-, 6-, or 4-digit
 * stem. `former` and `upcoming` listings cover all or part of the code on an earlier or later date.
 */
export type Relation = 'upcoming' | 'former' | 'same_8_digit' | 'same_6_digit' | 'same_4_digit';

/** A listing related to a code that isn't covered on the lookup date. */
export interface AdjacentHit extends Interval {
  relation: Relation;
  hts: string;
  list: string;
  program: Program;
  role: Role;
  annex: string | null;
  citation: string;
}

/** A current or upcoming listing under a program that wasn't selected for the lookup. */
export interface OtherProgram extends Interval {
  program: Program;
  list: string;
  role: Role;
  hts: string;
  coverage: 'full' | 'partial';
  citation: string;
}

/** Relation between the duties of two programs that list the same code. */
export interface MatchStacking {
  programs: [Program, Program];
  relation: StackingRelation;
  /** For `excludes`, the program whose duty is owed. Null otherwise. */
  owed: Program | null;
  text: string;
  citation: string;
}

/** A lookup result shared by all codes at the same position in the trie of listed codes. */
export interface CodeResult {
  readonly hit: boolean;
  readonly in_scope: boolean;
  readonly status: Status;
  readonly coverage: 'full' | 'partial' | null;
  readonly matches: readonly Match[];
  /** Relation between the duties of each pair of programs whose matches overlap. */
  readonly stacking: readonly MatchStacking[];
  readonly adjacent_hits: readonly AdjacentHit[];
  readonly other_programs: readonly OtherProgram[];
}

/** Provisions that cover a code fully or partially, on any date. */
export interface RelatedProvisions {
  readonly full: readonly Provision[];
  readonly partial: readonly Provision[];
}

/** Maximum number of adjacent listings in a result. */
export const MAX_ADJACENT = 10;

/**
 * Returns the result for a code at a position in the trie of listed codes.
 *
 * @param node the deepest node whose digits are a prefix of the code
 * @param exact whether the node has all of the code's digits. If the node has fewer digits than the code, provisions
 * below the node are adjacent to the code instead of covering part of the code.
 */
export function resultAt(node: TrieNode, exact: boolean, query: Query): CodeResult {
  const related = relatedProvisions(node, exact);
  const matches = matchesIn(related, query);
  const hit = matches.some(match => match.coverage === 'full' && match.role === 'derivative');
  const in_scope = matches.length > 0;
  const adjacent_hits = in_scope
    ? []
    : adjacentHits(exact ? node.parent : node, [...related.full, ...related.partial], query);
  return {
    hit,
    in_scope,
    status: statusOf(hit, in_scope, adjacent_hits.length > 0),
    coverage: matches[0]?.coverage ?? null,
    matches,
    stacking: stackingOf(matches, query),
    adjacent_hits,
    other_programs: [
      ...otherPrograms(related.full, 'full', query),
      ...otherPrograms(related.partial, 'partial', query),
    ],
  };
}

/** Returns the provisions that cover a code fully or partially, on any date. For the parameters, see `resultAt`. */
export function relatedProvisions(node: TrieNode, exact: boolean): RelatedProvisions {
  return { full: pathToRoot(node).flatMap(each => each.provisions), partial: exact ? node.descendants : [] };
}

/**
 * Returns a match for each related provision in force under the selected programs, with full-coverage matches first.
 */
export function matchesIn(related: RelatedProvisions, query: Query): Match[] {
  return [...inForce(related, 'full', query), ...inForce(related, 'partial', query)];
}

function statusOf(hit: boolean, inScope: boolean, adjacent: boolean): Status {
  if (hit) return 'hit';
  if (inScope) return 'in_scope';
  return adjacent ? 'adjacent' : 'clear';
}

/** Returns a match for each provision in force under the selected programs. */
function inForce(related: RelatedProvisions, coverage: 'full' | 'partial', query: Query): Match[] {
  return related[coverage].flatMap(provision => {
    const listing = query.programs.has(provision.list.program) && listingOn(provision, query.date);
    if (!listing) return [];
    return [matchOf(provision, listing, coverage, query, listsOf(provision, related, query))];
  });
}

/**
 * Returns all lists that include a provision's code on the lookup date, including lists of programs that aren't
 * selected.
 */
function listsOf(provision: Provision, related: RelatedProvisions, query: Query): TariffList[] {
  const lists = new Set<TariffList>();
  const note = (other: Provision) => listingOn(other, query.date) && lists.add(other.list);
  related.full.forEach(note);
  related.partial.filter(({ prefix }) => provision.prefix.startsWith(prefix)).forEach(note);
  return [...lists];
}

/** For each pair of programs with overlapping matches, returns how their duties interact. */
export function stackingOf(matches: readonly Match[], query: Query): MatchStacking[] {
  const found = new Map<string, MatchStacking>();
  matches.forEach((a, index) => {
    for (const b of matches.slice(index + 1)) {
      if (a.program === b.program || !(covers(a, b) || covers(b, a))) continue;
      const relation = pairRelation(query.index.dataset.stacking, a.program, b.program, query.date)!;
      const { text, citation } = relation.stacking;
      const programs = [a.program, b.program].sort() as [Program, Program];
      found.set(programs.join(), {
        programs,
        relation: relation.stacking.relation,
        owed: relation.winner,
        text,
        citation,
      });
    }
  });
  return [...found.values()];
}

function covers(a: Match, b: Match): boolean {
  return prefixOf(b.hts).startsWith(prefixOf(a.hts));
}

function otherPrograms(provisions: readonly Provision[], coverage: 'full' | 'partial', query: Query): OtherProgram[] {
  return provisions.flatMap(provision => {
    const { list, hts, listings } = provision;
    const interval = membership(listings);
    const ended = interval.effective_to !== null && interval.effective_to < query.date;
    if (query.programs.has(list.program) || ended) return [];
    const started = interval.effective_from > query.date ? interval.effective_from : query.date;
    const { citation } = listingOn(provision, started) ?? listings[0]!;
    return [{ program: list.program, list: list.id, role: list.role, hts, coverage, ...interval, citation }];
  });
}

/** Returns the code's own listings on other dates, followed by nearby listings, nearest first. */
function adjacentHits(nearest: TrieNode | null, own: readonly Provision[], query: Query): AdjacentHit[] {
  const hits = onOtherDates(own, query);
  const seen = new Set<Provision>(own);
  for (const node of nearest ? pathToRoot(nearest) : []) {
    for (const provision of node.descendants) {
      if (hits.length >= MAX_ADJACENT) break;
      if (seen.has(provision)) continue;
      seen.add(provision);
      const listing = query.programs.has(provision.list.program) && listingOn(provision, query.date);
      if (listing) hits.push(adjacentHit(`same_${node.digits.length as 8 | 6 | 4}_digit`, provision, listing));
    }
  }
  return hits.slice(0, MAX_ADJACENT);
}

/**
 * Returns the next upcoming listing and the most recent former listing for each program and provision. Upcoming
 * listings come first. Within each group, the listing whose date is closest to the query date comes first.
 */
function onOtherDates(provisions: readonly Provision[], query: Query): AdjacentHit[] {
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
