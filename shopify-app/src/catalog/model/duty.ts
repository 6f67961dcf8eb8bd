import { assess, type Dataset, parseOrigin } from '@compliance/core/tariff';
import type { NewVariant } from '@compliance/store/shop';

/**
 * Lowest and highest Section 232 duty on an article. Cached ranges are percentages of the article's value, and
 * estimated ranges are in hundredths of the shop's currency unit.
 */
interface DutyRange {
  readonly min: number;
  readonly max: number;
}

/**
 * Cached duty ranges, keyed by date, code, and origin. Most variants share their code and origin with other variants.
 */
const ranges = new WeakMap<Dataset, Map<string, DutyRange | null>>();

/** Maximum number of ranges per data set. */
const MAX_RANGES = 20_000;

/**
 * Estimates the Section 232 duty on a variant from the variant's selling price, in hundredths of the shop's currency
 * unit. The estimate is a range, because the facts that determine which duty applies are unknown. The duty is owed on
 * the customs value, which is usually less than the price.
 *
 * @returns null if the duty can't be estimated, for example because the origin or a rate is unknown
 * @example estimateDuty({ code: '7318152061', origin: 'CN', price: '24.00' }, '2026-11-20', DATASET) // { min: 240, max: 1200 }
 */
export function estimateDuty(
  { code, origin, price }: { readonly code: string; readonly origin: string | null; readonly price: string | null },
  asOf: string,
  dataset: Dataset,
): DutyRange | null {
  const value = price === null || price === '' ? Number.NaN : Number(price);
  const country = origin && parseOrigin(origin);
  if (!(value >= 0) || !country || country === 'EU') return null;
  const known = ranges.get(dataset) ?? new Map<string, DutyRange | null>();
  ranges.set(dataset, known);
  const key = `${asOf} ${code} ${country}`;
  if (known.size >= MAX_RANGES) known.clear();
  // The cache also contains null values, for duties that can't be estimated.
  const kept = known.get(key);
  const range = kept === undefined ? rangeOf(code, country, asOf, dataset) : kept;
  known.set(key, range);
  return range && { min: Math.round(value * range.min), max: Math.round(value * range.max) };
}

/**
 * Reason why the duty on a variant is unknown: `code` (the code is missing, too short, or invalid), `origin` (the
 * country of origin is missing or isn't a country), `price` (Shopify's price hasn't been read), or `rate` (the lists
 * don't state a rate).
 */
type UnknownDuty = 'code' | 'origin' | 'price' | 'rate';

/** Estimated duty per unit in the shop's currency, or the reason why the duty is unknown. */
export interface DutyView {
  readonly duty: DutyRange | null;
  readonly dutyUnknown: UnknownDuty | null;
}

/**
 * Returns a variant's stored duty for display. Both values are null if Section 232 doesn't cover the variant.
 *
 * @example dutyViewOf({ status: 'hit', duty: null, origin: null, price: '24.00' }) // { duty: null, dutyUnknown: 'origin' }
 */
export function dutyViewOf({
  status,
  duty,
  origin,
  price,
}: Pick<NewVariant, 'status' | 'duty' | 'origin' | 'price'>): DutyView {
  if (status === 'clear' || status === 'adjacent') return { duty: null, dutyUnknown: null };
  if (status !== 'hit' && status !== 'in_scope') return { duty: null, dutyUnknown: 'code' };
  if (duty) return { duty: { min: duty.min / 100, max: duty.max / 100 }, dutyUnknown: null };
  const country = origin && parseOrigin(origin);
  if (!country || country === 'EU') return { duty: null, dutyUnknown: 'origin' };
  return { duty: null, dutyUnknown: price == null || price === '' ? 'price' : 'rate' };
}

function rangeOf(code: string, origin: string, asOf: string, dataset: Dataset): DutyRange | null {
  const article = { code, origin, as_of: asOf, facts: { customs_value: 100 } };
  const { total_232, total_232_range } = assess(article, { dataset });
  return total_232 === null ? total_232_range : { min: total_232, max: total_232 };
}
