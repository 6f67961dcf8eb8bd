const FORM = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Returns whether a string is a real calendar date in YYYY-MM-DD format.
 *
 * @example isCalendarDate('2026-02-29') // false
 */
export function isCalendarDate(text: string): boolean {
  if (!FORM.test(text)) return false;
  // For a day past the end of the month, `Date` either rolls over to the next month or returns an invalid date.
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** Formatter for US Eastern dates, created on first use because creating it takes longer than a lookup. */
let eastern: Intl.DateTimeFormat | undefined;

const HOUR_MS = 3_600_000;

/** The most recently formatted hour and its date, cached because formatting takes longer than a lookup. */
let formatted = { hour: Number.NaN, date: '' };

/**
 * Returns the calendar date in US Eastern time, the time zone that the proclamations use for entry dates.
 *
 * @param now milliseconds since 1970-01-01T00:00Z
 * @example easternDate(Date.UTC(2026, 11, 4, 4, 59)) // '2026-12-03'
 */
export function easternDate(now: number): string {
  // The offset from UTC has been a whole number of hours since 1883, so the date never changes within a UTC clock hour.
  const hour = Math.floor(now / HOUR_MS);
  if (hour !== formatted.hour) {
    eastern ??= new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York', dateStyle: 'short' });
    formatted = { hour, date: eastern.format(now) };
  }
  return formatted.date;
}

/** Returns whether an inclusive date range includes a date. Dates in YYYY-MM-DD format can be compared as strings. */
export function includesDate(interval: { effective_from: string; effective_to: string | null }, date: string): boolean {
  return interval.effective_from <= date && (interval.effective_to === null || date <= interval.effective_to);
}

/**
 * Adds a number of days, which can be negative, to a date.
 *
 * @example addDays('2026-02-28', 1) // '2026-03-01'
 */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
}
