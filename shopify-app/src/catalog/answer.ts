import {
  type LookupResult,
  listsInForce,
  lookup,
  type Match,
  parseHtsCode,
  parseOrigin,
} from '@compliance/core/tariff';
import type { NewVariant } from '@compliance/store';
import type { CodeFor, Goods } from './goods.ts';

/** `short`: fewer digits than the ten that decide. `invalid`: no HTS code at all. */
export const DIGIT_STATES = ['missing', 'short', 'full', 'invalid'] as const;
export type DigitState = (typeof DIGIT_STATES)[number];

/**
 * The answer in a word. `hit`: on a derivative list. `in_scope`: Section 232 reaches it otherwise. `adjacent`: not listed, but
 * near one that is. `clear`: not listed. The others are no answer: `needs_digits` has too few digits for one.
 */
export const STATUSES = ['hit', 'in_scope', 'adjacent', 'clear', 'needs_digits', 'missing', 'invalid'] as const;
export type CatalogStatus = (typeof STATUSES)[number];

/** The words that are an answer. */
export const ANSWERED: readonly CatalogStatus[] = ['hit', 'in_scope', 'adjacent', 'clear'];

/** A listing that decides the answer: what is charged, when, under which facts, by which act. */
export type Listing = Omit<Match, 'sources' | 'coverage' | 'yields_to'>;

/** What is kept as the `answer` of a variant. Nothing in it changes by itself. */
export interface TariffAnswer {
  readonly inventoryItemId: string;
  readonly codeFor: CodeFor;
  /** The code as the HTS prints it; null when there is none. */
  readonly printed: string | null;
  /** The listings that cover every number that begins with the code. */
  readonly listings: readonly Listing[];
  /** Listings of some of the numbers that begin with a short code, at most ten. */
  readonly below: readonly Pick<Match, 'hts' | 'program' | 'role'>[];
  /** Listings nearest to a code that none covers, and those of another date, at most three. */
  readonly near: LookupResult['adjacent_hits'];
}

/** Which lists are in this release; `version` is kept with each answer. */
export const listsOf = (asOf: string): { readonly version: string; readonly knownThrough: string } => {
  const { version, known_through } = listsInForce(asOf);
  return { version, knownThrough: known_through };
};

/**
 * Asks the Section 232 lists, all programs, about variants.
 *
 * @param asOf date of entry in US Eastern time, YYYY-MM-DD
 * @example answersOf([bolt], '2026-11-21')[0].status // 'hit'
 */
export function answersOf(goods: readonly Goods[], asOf: string): NewVariant[] {
  const byOrigin = Map.groupBy(goods, ({ origin }) => origin && parseOrigin(origin));
  return [...byOrigin].flatMap(([origin, group]) => {
    const codes = group.map(({ htsCode }) => htsCode ?? '');
    const { results, list } = lookup(codes, { asOf, programs: 'all', ...(origin && { origin }) });
    return group.map((one, index) => answered(one, results[index]!, list.version));
  });
}

function answered(goods: Goods, result: LookupResult, listVersion: string): NewVariant {
  const { inventoryItemId, codeFor, ...variant } = goods;
  const full = result.matches.filter(({ coverage }) => coverage === 'full');
  const partial = result.matches.filter(({ coverage }) => coverage === 'partial');
  const digits = digitsOf(goods.htsCode);
  const answer: TariffAnswer = {
    ...{ inventoryItemId, codeFor, printed: result.normalized },
    listings: full.map(({ sources, coverage, yields_to, ...listing }) => listing),
    below: partial.slice(0, 10).map(({ hts, program, role }) => ({ hts, program, role })),
    near: result.adjacent_hits.slice(0, 3),
  };
  return { ...variant, digits, status: statusOf(digits, result), answer, listVersion };
}

/** Whether a code has the ten digits that decide. */
function digitsOf(code: string | null): DigitState {
  if (code === null) return 'missing';
  const parsed = parseHtsCode(code);
  if (!parsed.ok) return 'invalid';
  return parsed.digits.length === 10 ? 'full' : 'short';
}

/** Duties are set for eight digits at least, so a code with fewer is never said to be listed or not. */
function statusOf(digits: DigitState, { status, normalized, coverage }: LookupResult): CatalogStatus {
  if (digits === 'missing' || digits === 'invalid') return digits;
  const isSubheading = normalized!.replaceAll('.', '').length >= 8;
  return isSubheading && coverage !== 'partial' ? status : 'needs_digits';
}
