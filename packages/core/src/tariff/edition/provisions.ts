import { holds } from '../dates.ts';
import { prefixOf } from '../nomenclature/hts-code.ts';
import { type Cohort, EDITION, type Interval, type TariffList, type Term } from './edition.ts';

/** What the provisions of a cohort are under one term of their list: in force while both are, in no day if they never meet. */
export interface Listing extends Interval {
  readonly term: Term;
  /** The acts that listed the provision and set its rate, the annex, and the note. */
  readonly citation: string;
  /** Where that was read. */
  readonly sources: readonly string[];
}

/** One provision of one list: every code that starts with `prefix` is covered. */
export interface Provision {
  readonly list: TariffList;
  readonly cohort: Cohort;
  /** In the order of the list's terms; the provisions of a cohort share them. */
  readonly listings: readonly Listing[];
  readonly hts: string;
  readonly prefix: string;
  readonly conditions: readonly string[];
  readonly caveats: readonly string[];
}

/** A stem of 4, 6, 8 or 10 digits that provisions share. */
export interface Stem {
  readonly digits: string;
  /** The stem with two digits less; null for a heading. */
  readonly parent: Stem | null;
  /** The provisions listed exactly here. */
  readonly at: readonly Provision[];
  /** The provisions below, in the order of their codes. */
  readonly below: readonly Provision[];
  /** The stems one step below, by their two further digits. */
  readonly children: ReadonlyMap<string, Stem>;
}

/** Every provision of the edition, in the order of its code, then of its list. */
export const PROVISIONS: readonly Provision[] = EDITION.lists
  .flatMap(list =>
    list.cohorts.flatMap(cohort => {
      const listings = listingsOf(list, cohort);
      return cohort.provisions.map(entry => {
        const { hts, conditions = [], caveats = [] } = typeof entry === 'string' ? { hts: entry } : entry;
        return { list, cohort, listings, hts, prefix: prefixOf(hts), conditions, caveats };
      });
    }),
  )
  .sort((a, b) => (a.prefix < b.prefix ? -1 : a.prefix > b.prefix ? 1 : 0));

const HEADINGS = growStems(PROVISIONS);

/** The headings that have provisions, with all stems below them. */
function growStems(provisions: readonly Provision[]): ReadonlyMap<string, Stem> {
  type Growing = Stem & { at: Provision[]; below: Provision[]; children: Map<string, Stem> };
  const headings = new Map<string, Stem>();
  for (const provision of provisions) {
    let parent: Growing | null = null;
    for (let length = 4; length <= provision.prefix.length; length += 2) {
      const siblings: Map<string, Stem> = parent ? parent.children : headings;
      const step = provision.prefix.slice(parent ? length - 2 : 0, length);
      let stem = siblings.get(step) as Growing | undefined;
      if (!stem) {
        const digits = provision.prefix.slice(0, length);
        stem = { digits, parent, at: [], below: [], children: new Map() };
        siblings.set(step, stem);
      }
      (length === provision.prefix.length ? stem.at : stem.below).push(provision);
      parent = stem;
    }
  }
  return headings;
}

/**
 * The longest stem that digits start with; null when not even their heading is one. It is the digits' own stem when it has
 * as many digits.
 */
export function longestStem(digits: string): Stem | null {
  let stem: Stem | null = null;
  let next = HEADINGS.get(digits.slice(0, 4));
  for (let length = 6; next; length += 2) {
    stem = next;
    next = stem.children.get(digits.slice(length - 2, length));
  }
  return stem;
}

/** A stem and those above it, longest first. */
export function lineage(stem: Stem): Stem[] {
  const line: Stem[] = [];
  for (let at: Stem | null = stem; at; at = at.parent) line.push(at);
  return line;
}

/** What the provisions of a cohort are under each term of their list. */
export function listingsOf(list: TariffList, cohort: Cohort): Listing[] {
  return list.terms.map(term => {
    const [, from] = [cohort.effective_from, term.effective_from].sort();
    const [to = null] = [cohort.effective_to, term.effective_to].filter(date => date !== null).sort();
    const acts = [...new Set([cohort.citation, term.citation])].join(', ');
    const citation = `${acts}${term.annex ? `, Annex ${term.annex}` : ''}; ${term.note ?? list.note}`;
    const sources = [...new Set([...cohort.sources, ...term.sources])];
    return { term, effective_from: from!, effective_to: to, citation, sources };
  });
}

/** The listing that is in force on a date; undefined when there is none. */
export function listingOn({ listings }: Provision, date: string): Listing | undefined {
  return listings.find(listing => holds(listing, date));
}

/** The first day of force under any term, and the last (null while open). */
export function membership(listings: readonly Listing[]): Interval {
  return {
    effective_from: listings[0]!.effective_from,
    effective_to: listings[listings.length - 1]!.effective_to,
  };
}
