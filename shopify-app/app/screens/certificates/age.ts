/** Unit of an age in the form. In certificate requests, ages are always in months. */
export type AgeUnit = 'months' | 'years';

/** Number of months added to an upper limit in years, because “up to 5 years” means up to 5 years and 11 months. */
const LAST_YEAR = 11;

/**
 * Converts an age to months. An upper limit in years includes the whole year.
 *
 * @param typed untrusted text. If the text isn't a whole number of at most four digits, the text is returned unchanged,
 * and certificate validation reports the problem.
 * @example monthsOf('5', 'years', true) // 71
 */
export function monthsOf(typed: string, unit: AgeUnit, isUpper: boolean): number | string {
  if (!/^\d{1,4}$/.test(typed)) return typed;
  return unit === 'months' ? Number(typed) : Number(typed) * 12 + (isUpper ? LAST_YEAR : 0);
}

/**
 * Returns an age in whole years, or null if it isn't a whole number of years.
 *
 * @example yearsOf(71, true) // 5
 */
export function yearsOf(months: number, isUpper: boolean): number | null {
  const years = (months - (isUpper ? LAST_YEAR : 0)) / 12;
  return Number.isInteger(years) && years >= 0 ? years : null;
}

/**
 * Returns the best unit for displaying an age.
 *
 * @example unitOf(18, false) // 'months'
 */
export function unitOf(months: unknown, isUpper: boolean): AgeUnit {
  if (typeof months !== 'number') return 'years';
  return months < 12 || yearsOf(months, isUpper) === null ? 'months' : 'years';
}
