/** The first and last days (YYYY-MM-DD) that a date can refer to. The two days differ only if the date is a month. */
export interface Period {
  readonly first: string;
  readonly last: string;
}

/**
 * Returns the first and last day of a month (YYYY-MM). For a full date (YYYY-MM-DD), both are that date.
 *
 * @example periodOf('2026-02') // { first: '2026-02-01', last: '2026-02-28' }
 */
export function periodOf(date: string): Period {
  if (!isMonth(date)) return { first: date, last: date };
  const [year = 0, month = 0] = date.split('-').map(Number);
  return { first: `${date}-01`, last: new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10) };
}

/** Matches a month, such as 2026-05. */
export const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

/** Returns whether a string is a month, such as 2026-05. */
export const isMonth = (date: string): boolean => MONTH.test(date);

/**
 * Formats a date for printing on the certificate. If the date has no day, the month's name is spelled out, so that
 * readers don't mistake the value for an incomplete date.
 *
 * @example printedDate('2026-05') // 'May 2026'
 */
export function printedDate(date: string): string {
  if (!isMonth(date)) return date;
  return new Date(`${date}-01T00:00:00Z`).toLocaleDateString('en-US', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
}
