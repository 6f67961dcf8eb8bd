import { DATASET, type Dataset, nameOf, type Source } from '../dataset/dataset.ts';
import type { Program } from '../dataset/programs.ts';
import { deepestNode, type TrieNode } from '../dataset/provisions.ts';
import { formatHtsCode, matchedDigits, parseHtsCode } from '../nomenclature/hts-code.ts';
import type { InvalidReason } from '../nomenclature/messy-code.ts';
import type { Nomenclature } from '../nomenclature/nomenclature.ts';
import { suggestCodes } from '../nomenclature/suggest-codes.ts';
import { type CodeResult, type Query, resultAt } from './code-result.ts';
import { invalidMessage, messageOf, notListed } from './message.ts';
import { type LookupOptions, readOptions } from './options.ts';

/** A code result with its message. */
interface ExplainedResult extends CodeResult {
  readonly message: string;
}

/** A result shared by all codes at the same trie node, with the IDs of the sources cited in its matches. */
interface SharedResult {
  readonly result: ExplainedResult;
  readonly sources: ReadonlySet<string>;
}

/** Result for one submitted code. */
export interface LookupResult extends ExplainedResult {
  /** The code exactly as submitted. */
  readonly code: string;
  /** The code in HTS format, or null if the submitted text isn't an HTS code. */
  readonly normalized: string | null;
  /** Whether the code is in the HTS export, or `unknown` if no export was provided or the code is invalid. */
  readonly exists: boolean | 'unknown';
  /**
   * Up to five possible corrections for an invalid code. If an HTS export was provided, only codes in the export are
   * suggested. Empty for valid codes.
   */
  readonly did_you_mean: readonly string[];
  /** Descriptions from the HTS export, from the heading down to the code, or null if they aren't available. */
  readonly description: readonly string[] | null;
}

/** The data set and options used for a lookup. */
export interface ListFacts {
  version: string;
  known_through: string;
  sha256: string;
  as_of: string;
  programs: Program[];
  origin: string | null;
  nomenclature: string | null;
  /** Sources cited in the matches, by ID. */
  sources: Record<string, Source>;
  /** A sentence that lists the duties and fees that a lookup doesn't cover. */
  not_included: string;
  /** A warning that the data set might be outdated for this date, or null. */
  notice: string | null;
}

/** Lookup results, one per code in the order submitted, with the data set details. */
export interface Lookup {
  results: LookupResult[];
  list: ListFacts;
}

/**
 * Looks up HTS codes in the Section 232 lists.
 *
 * An invalid code has the status `invalid` and doesn't affect the results for other codes. `hit` means that a
 * derivative listing in force covers the entire code, and `in_scope` means that at least one listing in force covers
 * the code fully or partially. `adjacent_hits` contains listings related to a code that isn't covered. The rules are
 * based on the U.S. notes to subchapter III of Chapter 99 of the HTS, and on the acts cited in each match.
 *
 * @throws LookupOptionError if the date, a program, or the origin is invalid
 * @throws TypeError if a code isn't a string, because numbers lose leading zeros
 * @example
 * const { results } = lookup(['7318.15.2061'], { asOf: '2026-11-21' });
 * results[0].status // 'hit'
 * results[0].matches[0].citation // 'Proclamation 11021 (91 FR 18201), Annex I-A; U.S. note 16(c)(iv), …'
 */
export function lookup(codes: readonly string[], options: LookupOptions): Lookup {
  const { asOf, programs, origin, nomenclature, dataset = DATASET } = options;
  let keptForDataset = keptLookups.get(dataset);
  if (!keptForDataset) keptLookups.set(dataset, (keptForDataset = new WeakMap()));
  let kept = keptForDataset.get(nomenclature ?? WITHOUT_EXPORT);
  if (!kept) keptForDataset.set(nomenclature ?? WITHOUT_EXPORT, (kept = new Map()));
  const key = JSON.stringify([asOf, programs, origin]);
  const lookUp = kept.get(key) ?? prepareLookup(options);
  kept.delete(key);
  kept.set(key, lookUp);
  if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!);
  return lookUp(codes);
}

/**
 * Maximum number of prepared lookups to cache per data set and HTS export. Lookups without an export share one cache.
 */
const MAX_KEPT = 4;

const WITHOUT_EXPORT = {};

/**
 * The most recently used lookups for each data set and HTS export. Without this cache, calls with few codes would
 * repeat most of the work.
 */
const keptLookups = new WeakMap<Dataset, WeakMap<object, Map<string, ReturnType<typeof prepareLookup>>>>();

/**
 * Prepares a lookup for repeated calls with the same options. `lookup` caches recently used lookups, so use this
 * function only if you alternate between more sets of options than the cache holds. Calls share results, so the matches
 * in a result are frozen.
 *
 * @throws LookupOptionError if the date, a program, or the origin is invalid
 * @throws TypeError from the returned function if a code isn't a string
 * @example
 * const lookUp = prepareLookup({ asOf: '2026-11-21' });
 * lookUp(['7318.15.2061']).results[0].status // 'hit'
 * lookUp(['0101.21.00']).results[0].status // 'clear'
 */
export function prepareLookup(options: LookupOptions): (codes: readonly string[]) => Lookup {
  const query = readOptions(options);
  const nomenclature = options.nomenclature;
  const { trie } = query.index;
  const clear: SharedResult = {
    result: { ...NO_MATCH, status: 'clear', message: notListed(query) },
    sources: new Set(),
  };
  // Codes at the same trie node share a result, so a large batch needs only a few computations.
  const exactResults = new Map<TrieNode, SharedResult>();
  const belowResults = new Map<TrieNode, SharedResult>();
  const sharedResultOf = (digits: string): SharedResult => {
    const node = deepestNode(trie, digits);
    if (!node) return clear;
    const exact = node.digits.length === digits.length;
    const cache = exact ? exactResults : belowResults;
    let shared = cache.get(node);
    if (!shared) {
      const result = freeze(explain(resultAt(node, exact, query), query));
      cache.set(node, (shared = { result, sources: new Set(result.matches.flatMap(match => match.sources)) }));
    }
    return shared;
  };

  return codes => {
    const matched = new Set<SharedResult>();
    const results = codes.map((code, index): LookupResult => {
      if (typeof code !== 'string') {
        throw new TypeError(
          `codes.${index} is a ${typeof code}. Pass HTS codes as strings because numbers lose leading zeros.`,
        );
      }
      const parsed = parseHtsCode(code);
      if (!parsed.ok) return invalid(code, parsed.reason, nomenclature);
      const shared = sharedResultOf(matchedDigits(parsed.digits));
      const found = shared.result;
      if (found.in_scope) matched.add(shared);
      const exists = nomenclature ? nomenclature.has(parsed.digits) : 'unknown';
      return {
        code,
        normalized: formatHtsCode(parsed.digits),
        hit: found.hit,
        in_scope: found.in_scope,
        status: found.status,
        coverage: found.coverage,
        exists,
        did_you_mean: NO_SUGGESTIONS,
        description: nomenclature ? nomenclature.describe(parsed.digits) : null,
        message:
          exists === false ? `${found.message} This code doesn't exist in ${nomenclature!.edition}.` : found.message,
        matches: found.matches,
        stacking: found.stacking,
        adjacent_hits: found.adjacent_hits,
        other_programs: found.other_programs,
      };
    });

    const sources = new Set<string>();
    for (const shared of matched) for (const source of shared.sources) sources.add(source);
    return { results, list: { ...listFacts(query, nomenclature), sources: sourcesOf(query.index.dataset, sources) } };
  };
}

/** Deep-freezes a value that is shared between calls. */
function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const each of Object.values(value)) freeze(each);
  }
  return value;
}

function explain(result: CodeResult, query: Query): ExplainedResult {
  return { ...result, message: messageOf(result, query) };
}

const NOT_INCLUDED =
  'Not included: the column 1 or 2 duty, duties under Sections 301, 338, and 122, antidumping and countervailing duties, and fees.';

const NO_MATCH = {
  hit: false,
  in_scope: false,
  coverage: null,
  matches: [],
  stacking: [],
  adjacent_hits: [],
  other_programs: [],
} as const;

const NO_SUGGESTIONS: readonly string[] = [];

function invalid(code: string, reason: InvalidReason, nomenclature: Nomenclature | undefined): LookupResult {
  const did_you_mean = suggestCodes(code, nomenclature);
  return {
    code,
    normalized: null,
    ...NO_MATCH,
    status: 'invalid',
    exists: 'unknown',
    did_you_mean,
    description: null,
    message: invalidMessage(reason, did_you_mean),
  };
}

function listFacts(query: Query, nomenclature: Nomenclature | undefined): Omit<ListFacts, 'sources'> {
  return {
    ...nameOf(query.index.dataset),
    as_of: query.date,
    programs: [...query.programs],
    origin: query.origin,
    nomenclature: nomenclature?.edition ?? null,
    not_included: NOT_INCLUDED,
    notice: notice(query.date, query.index.dataset),
  };
}

function sourcesOf({ sources }: Dataset, ids: ReadonlySet<string>): Record<string, Source> {
  return Object.fromEntries([...ids].sort().map(id => [id, sources[id]!]));
}

/** Returns a warning if the lists aren't current through the date, or null otherwise. */
export function notice(date: string, { known_through }: Dataset): string | null {
  if (date > known_through) {
    return `The lists are current through ${known_through}. Later changes aren't included.`;
  }
  return null;
}
