const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

/** Start of the nightly window, in minutes after midnight in the shop's time zone, and the window's length in minutes. */
const WINDOW = { from: 2 * 60, spread: 180 };

/**
 * Returns the next run time for a shop's nightly jobs, in milliseconds since the Unix epoch. The time is between 2 and
 * 5 a.m. in the shop's time zone. The minute depends on the shop, so that nightly jobs for shops in the same time zone
 * don't all run at the same time. Until the run time, every call returns the same value unless clocks in the time zone
 * change.
 *
 * @param zone IANA time zone name. Null and unknown names are treated as UTC.
 * @example new Date(nextNightlyRun(Date.parse('2026-11-21T12:00Z'), 'a.myshopify.com', 'America/New_York')).toISOString() // '2026-11-22T07:…Z'
 */
export function nextNightlyRun(now: number, domain: string, zone: string | null): number {
  const minute = Math.floor(now / MINUTE_MS);
  const until = (WINDOW.from + spread(domain) - minutesOfDay(now, zone) + DAY_MINUTES) % DAY_MINUTES;
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

function spread(domain: string): number {
  let hash = 0;
  for (const letter of domain) hash = (hash * 31 + letter.charCodeAt(0)) % 65_521;
  return hash % WINDOW.spread;
}
