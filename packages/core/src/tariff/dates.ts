const FORM = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Whether a text is a real calendar date in the form YYYY-MM-DD.
 *
 * @example isCalendarDate('2026-02-29') // false
 */
export function isCalendarDate(text: string): boolean {
  if (!FORM.test(text)) return false;
  // A day that the month has not is read as one of the next month, or as none.
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

const EASTERN = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York', dateStyle: 'short' });

/**
 * The calendar date in US Eastern time, by which the acts count the day of entry.
 *
 * @param now milliseconds since 1970
 * @example easternDate(Date.UTC(2026, 11, 4, 4, 59)) // '2026-12-03'
 */
export function easternDate(now: number): string {
  return EASTERN.format(now);
}

/** Whether an inclusive interval of dates holds a date. ISO dates sort as text. */
export function holds(interval: { effective_from: string; effective_to: string | null }, date: string): boolean {
  return interval.effective_from <= date && (interval.effective_to === null || date <= interval.effective_to);
}
