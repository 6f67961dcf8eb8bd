const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

/** Part of the day, in minutes after midnight in a shop's time zone. */
interface DailyWindow {
  readonly from: number;
  /** Length of the window in minutes. */
  readonly spread: number;
}

/** Window for nightly jobs, from 2:00 to 5:00. */
export const NIGHT: DailyWindow = { from: 2 * 60, spread: 180 };

/** Window for the daily alert digest, from 7:00 to 8:00. */
export const MORNING: DailyWindow = { from: 7 * 60, spread: 60 };

/**
 * Returns the next run time of a shop's daily job, in milliseconds since the Unix epoch. The time is within the given
 * window in the shop's time zone. The minute depends on the shop, so that jobs for shops in the same time zone don't
 * all run at the same time. Until the run time, every call returns the same value unless clocks in the time zone
 * change.
 *
 * @param zone IANA time zone name. Null and unknown names are treated as UTC.
 * @example new Date(nextDailyRun(Date.parse('2026-11-21T12:00Z'), 'a.myshopify.com', 'America/New_York', NIGHT)).toISOString() // '2026-11-22T07:…Z'
 */
export function nextDailyRun(now: number, domain: string, zone: string | null, window: DailyWindow): number {
  const minute = Math.floor(now / MINUTE_MS);
  const until = (window.from + offsetOf(domain, window) - minutesOfDay(now, zone) + DAY_MINUTES) % DAY_MINUTES;
  return (minute + (until || DAY_MINUTES)) * MINUTE_MS;
}

function minutesOfDay(now: number, zone: string | null): number {
  const clock = (timeZone: string) =>
    new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(now);
  let time: string;
  try {
    time = clock(zone ?? 'UTC');
  } catch {
    time = clock('UTC');
  }
  const [hours, minutes] = time.split(':').map(Number);
  return hours! * 60 + minutes!;
}

function offsetOf(domain: string, { spread }: DailyWindow): number {
  let hash = 0;
  for (const letter of domain) hash = (hash * 31 + letter.charCodeAt(0)) % 65_521;
  return hash % spread;
}
