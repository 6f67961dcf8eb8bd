import { includesDate } from '../dates.ts';
import { prefixOf } from '../nomenclature/hts-code.ts';
import type { Batch, DatedInterval, Interval, TariffList, Term } from './dataset.ts';

/**
 * A listing of a batch's provisions under one term of a list. A listing is in force while both the batch and the term
 * are in force. If the batch and the term never overlap, `effective_to` is before `effective_from`.
 */
export interface Listing extends DatedInterval {
  readonly term: Term;
  /** Citation of the annex, the U.S. note, and the acts that listed the provision and set its rate. */
  readonly citation: string;
  /** IDs of the listing's sources. */
  readonly sources: readonly string[];
}

/** A provision on a list. Covers every code that starts with `prefix`. */
export interface Provision {
  readonly list: TariffList;
  readonly batch: Batch;
  /** The provision's listings, one per term of the list, in term order. All provisions in a batch share this array. */
  readonly listings: readonly Listing[];
  readonly hts: string;
  readonly prefix: string;
  readonly conditions: readonly string[];
  readonly caveats: readonly string[];
}

/** A node in the trie of listed codes. Represents 4, 6, 8, or 10 leading digits shared by one or more provisions. */
export interface TrieNode {
  readonly digits: string;
  /** The parent node, which has two fewer digits, or null for a heading. */
  readonly parent: TrieNode | null;
  /** Provisions whose digits equal the node's digits. */
  readonly provisions: readonly Provision[];
  /** Provisions that start with the node's digits and have more digits, in code order. */
  readonly descendants: readonly Provision[];
  /** Child nodes, keyed by their next two digits as a number. */
  readonly children: ReadonlyMap<number, TrieNode>;
}

/** Heading nodes in the trie of listed codes, keyed by their four digits as a number. */
export type Trie = ReadonlyMap<number, TrieNode>;

/** Returns every provision on the lists, ordered by code, then by list. */
export function provisionsOf(lists: readonly TariffList[]): Provision[] {
  return lists
    .flatMap(list =>
      list.batches.flatMap(batch => {
        const listings = listingsOf(list, batch);
        return batch.provisions.map(entry => {
          const { hts, conditions = [], caveats = [] } = typeof entry === 'string' ? { hts: entry } : entry;
          return { list, batch, listings, hts, prefix: prefixOf(hts), conditions, caveats };
        });
      }),
    )
    .sort((a, b) => (a.prefix < b.prefix ? -1 : a.prefix > b.prefix ? 1 : 0));
}

/** Builds the trie of listed codes. */
export function buildTrie(provisions: readonly Provision[]): Trie {
  type MutableNode = TrieNode & {
    provisions: Provision[];
    descendants: Provision[];
    children: Map<number, TrieNode>;
  };
  const headings = new Map<number, TrieNode>();
  for (const provision of provisions) {
    let parent: MutableNode | null = null;
    for (let length = 4; length <= provision.prefix.length; length += 2) {
      const siblings: Map<number, TrieNode> = parent ? parent.children : headings;
      const step = Number(provision.prefix.slice(parent ? length - 2 : 0, length));
      let node = siblings.get(step) as MutableNode | undefined;
      if (!node) {
        const digits = provision.prefix.slice(0, length);
        node = { digits, parent, provisions: [], descendants: [], children: new Map() };
        siblings.set(step, node);
      }
      (length === provision.prefix.length ? node.provisions : node.descendants).push(provision);
      parent = node;
    }
  }
  return headings;
}

/**
 * Returns the deepest node whose digits are a prefix of the code, or null if the code's heading has no provisions. The
 * node is an exact match if it has as many digits as the code.
 */
export function deepestNode(trie: Trie, digits: string): TrieNode | null {
  let node: TrieNode | null = null;
  let next = trie.get(pairAt(digits, 0) * 100 + pairAt(digits, 2));
  for (let at = 4; next; at += 2) {
    node = next;
    next = at < digits.length ? node.children.get(pairAt(digits, at)) : undefined;
  }
  return node;
}

/** Returns the two digits at an index as a number. Numbers are faster map keys than substrings. */
function pairAt(digits: string, index: number): number {
  return digits.charCodeAt(index) * 10 + digits.charCodeAt(index + 1) - 528;
}

/** Returns a node and its ancestors, deepest first. */
export function pathToRoot(node: TrieNode): TrieNode[] {
  const path: TrieNode[] = [];
  for (let current: TrieNode | null = node; current; current = current.parent) path.push(current);
  return path;
}

/** Returns a batch's listings, one for each term of its list. */
export function listingsOf(list: TariffList, batch: Batch): Listing[] {
  return list.terms.map(term => {
    const { effective_from: from, dated_by } = laterStart(term, batch);
    const [to = null] = [batch.effective_to, term.effective_to].filter(date => date !== null).sort();
    const acts = [...new Set([batch.citation, term.citation])].join(', ');
    const citation = `${acts}${term.annex ? `, Annex ${term.annex}` : ''}; ${term.note ?? list.note}`;
    const sources = [...new Set([...batch.sources, ...term.sources])];
    return { term, effective_from: from, effective_to: to, dated_by, citation, sources };
  });
}

/** The start date of an interval, with the basis for that date. */
type Start = Pick<DatedInterval, 'effective_from' | 'dated_by'>;

/**
 * Returns the later of two start dates. If the dates are equal, a date known only from an HTS edition takes precedence
 * over a date from an act.
 */
export function laterStart(a: Start, b: Start): Start {
  if (a.effective_from !== b.effective_from) return a.effective_from > b.effective_from ? a : b;
  return 'first_printed' in b.dated_by ? b : a;
}

/** Returns a provision's listing in force on a date, or undefined if no listing is in force. */
export function listingOn({ listings }: Provision, date: string): Listing | undefined {
  return listings.find(listing => includesDate(listing, date));
}

/**
 * Returns the first and last dates when any of a provision's listings is in force. The last date is null if the
 * interval is open-ended.
 */
export function membership(listings: readonly Listing[]): Interval {
  return {
    effective_from: listings[0]!.effective_from,
    effective_to: listings[listings.length - 1]!.effective_to,
  };
}
