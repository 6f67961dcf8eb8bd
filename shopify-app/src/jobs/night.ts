const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

/** When the night's work begins, in minutes after midnight of the shop, and over how many minutes shops are spread. */
const NIGHT = { from: 2 * 60, spread: 180 };

/**
 * The next time for a shop's nightly work, ms since epoch: between two and five in its own night, each shop at a minute of its
 * own so that not all of a zone come at once. Asked at any time until then it gives the same, but where clocks change.
 *
 * @param zone IANA name; null or one that is not known counts as UTC
 * @example new Date(nextNight(Date.parse('2026-11-21T12:00Z'), 'a.myshopify.com', 'America/New_York')).toISOString() // '2026-11-22T07:…Z'
 */
export function nextNight(now: number, domain: string, zone: string | null): number {
  const minute = Math.floor(now / MINUTE_MS);
  const until = (NIGHT.from + spread(domain) - minutesOfDay(now, zone) + DAY_MINUTES) % DAY_MINUTES;
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
  return hash % NIGHT.spread;
}
