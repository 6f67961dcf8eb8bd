import {
  type Dataset,
  type LookupResult,
  listsInForce,
  lookup,
  type Match,
  parseHtsCode,
  parseOrigin,
} from '@compliance/core/tariff';
import type { NewVariant } from '@compliance/store/shop';
import type { CatalogItem, CodeFor } from './catalog-item.ts';
import { estimateDuty } from './duty.ts';

/**
 * State of a code's digits. `full` means that the code has ten digits, and `short` means that the code has fewer.
 * `invalid` means that the text isn't an HTS code.
 */
export const DIGIT_STATES = ['missing', 'short', 'full', 'invalid'] as const;
export type DigitState = (typeof DIGIT_STATES)[number];

/**
 * Classification of a variant. `hit` means that a derivative listing covers the code. `in_scope` means that Section 232
 * covers the code, but not as a derivative article. `adjacent` means that the code isn't covered but is close to a
 * listing. `clear` means that the code isn't covered. All other values mean that the variant can't be classified.
 * `needs_digits` means that the code has too few digits.
 */
export const STATUSES = ['hit', 'in_scope', 'adjacent', 'clear', 'needs_digits', 'missing', 'invalid'] as const;
export type CatalogStatus = (typeof STATUSES)[number];

/** Statuses of successfully classified variants. */
export const CLASSIFIED_STATUSES: readonly CatalogStatus[] = ['hit', 'in_scope', 'adjacent', 'clear'];

/**
 * Listing that determines the result, with its rate, dates, conditions, and citation. Results stored by earlier
 * releases don't have `duty_from`.
 */
export type TariffListing = Omit<
  Match,
  'sources' | 'coverage' | 'yields_to' | 'dated_by' | 'duty_from' | 'duty_dated_by'
> &
  Partial<Pick<Match, 'duty_from'>>;

/**
 * Classification result, stored as a variant's `answer`. A stored result changes only when the variant is classified
 * again.
 */
export interface TariffResult {
  readonly inventoryItemId: string;
  readonly codeFor: CodeFor;
  /** Code in HTS notation, or null if the variant doesn't have a valid code. */
  readonly printed: string | null;
  /** Listings that cover every code that starts with the digits in `printed`. */
  readonly listings: readonly TariffListing[];
  /**
   * Interaction between the duties under the matching programs. Results stored by earlier releases don't have this
   * field.
   */
  readonly stacking?: LookupResult['stacking'];
  /**
   * Up to ten listings that each cover only some of the codes that start with a short code. Each listing has more
   * digits than the short code.
   */
  readonly below: readonly Pick<Match, 'hts' | 'program' | 'role'>[];
  /**
   * Up to three related listings that don't cover the code on this date. These listings cover the code on other dates
   * or cover similar codes.
   */
  readonly near: LookupResult['adjacent_hits'];
}

/**
 * Returns the version of a data set's tariff lists, and the date through which the lists are current. The app stores
 * the version with each result.
 */
export const tariffLists = (
  asOf: string,
  dataset: Dataset,
): { readonly version: string; readonly knownThrough: string } => {
  const { version, known_through } = listsInForce(asOf, dataset);
  return { version, knownThrough: known_through };
};

/**
 * Classifies variants based on all Section 232 lists in a data set.
 *
 * @param asOf date of entry in US Eastern time, YYYY-MM-DD
 * @example classifyVariants([bolt], '2026-11-21', DATASET)[0].status // 'hit'
 */
export function classifyVariants(items: readonly CatalogItem[], asOf: string, dataset: Dataset): NewVariant[] {
  const byOrigin = Map.groupBy(items, ({ origin }) => origin && parseOrigin(origin));
  return [...byOrigin].flatMap(([origin, group]) => {
    const codes = group.map(({ htsCode }) => htsCode ?? '');
    const { results, list } = lookup(codes, { asOf, dataset, programs: 'all', ...(origin && { origin }) });
    return group.map((one, index) => {
      const variant = answered(one, results[index]!, list.version);
      return { ...variant, duty: dutyOf(variant, asOf, dataset) };
    });
  });
}

function answered(items: CatalogItem, result: LookupResult, listVersion: string): NewVariant {
  const { inventoryItemId, codeFor, ...variant } = items;
  const full = result.matches.filter(({ coverage }) => coverage === 'full');
  const partial = result.matches.filter(({ coverage }) => coverage === 'partial');
  const digits = digitsOf(items.htsCode);
  const answer: TariffResult = {
    ...{ inventoryItemId, codeFor, printed: result.normalized },
    listings: full.map(({ sources, coverage, yields_to, dated_by, duty_dated_by, ...listing }) => listing),
    stacking: result.stacking,
    below: partial.slice(0, 10).map(({ hts, program, role }) => ({ hts, program, role })),
    near: result.adjacent_hits.slice(0, 3),
  };
  return { ...variant, digits, status: statusOf(digits, result), answer, listVersion };
}

/** Returns the estimated duty on a variant. The duty on a variant that isn't covered is 0. */
function dutyOf({ status, htsCode, origin, price = null }: NewVariant, asOf: string, dataset: Dataset) {
  if (status === 'clear' || status === 'adjacent') return { min: 0, max: 0 };
  return status === 'hit' || status === 'in_scope'
    ? estimateDuty({ code: htsCode ?? '', origin, price }, asOf, dataset)
    : null;
}

/** Returns whether a code is missing, invalid, short, or full. A full code has ten digits. */
function digitsOf(code: string | null): DigitState {
  if (code === null) return 'missing';
  const parsed = parseHtsCode(code);
  if (!parsed.ok) return 'invalid';
  return parsed.digits.length === 10 ? 'full' : 'short';
}

/**
 * Returns a code's status. Duty rates are set at the eight-digit level, so a shorter code is never classified as
 * covered or not covered.
 */
function statusOf(digits: DigitState, { status, normalized, coverage }: LookupResult): CatalogStatus {
  if (digits === 'missing' || digits === 'invalid') return digits;
  const isSubheading = normalized!.replaceAll('.', '').length >= 8;
  return isSubheading && coverage !== 'partial' ? status : 'needs_digits';
}
