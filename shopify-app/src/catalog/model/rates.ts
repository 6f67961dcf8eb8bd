import type { TariffListing, TariffResult } from './classify.ts';

/**
 * Summarizes the Section 232 rates in a stored lookup result in a language-independent format. Rates of different
 * listings are separated by commas, and possible rates of one listing by slashes. `≥15%` means that an additional duty
 * raises the total duty to at least 15%, and `?` means that a rate is unknown.
 *
 * @returns null if no listing covers the code or the code can't be checked
 * @example summarizeRates({ listings: [{ rate_pct: 25, rate_type: 'additional', … }], … }) // '25%'
 */
export function summarizeRates(answer: unknown): string | null {
  const { listings } = answer as TariffResult;
  return listings.length === 0 ? null : [...new Set(listings.map(rateOf))].join(', ');
}

function rateOf(listing: TariffListing): string {
  const { undecided, outcomes } = listing;
  const possible = undecided.length === 0 ? [listing] : [listing, ...outcomes];
  const isOriginUnknown = undecided.length > 0 && outcomes.length === 0;
  return [...new Set([...possible.map(percentage), ...(isOriginUnknown ? ['?'] : [])])].join(' / ');
}

function percentage({ rate_pct, rate_type }: Pick<TariffListing, 'rate_pct' | 'rate_type'>): string {
  if (rate_pct === null) return '?';
  return rate_type === 'total_floor' ? `≥${rate_pct}%` : `${rate_pct}%`;
}
