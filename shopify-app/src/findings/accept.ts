import type { Shop } from '@compliance/store/shop';
import { z } from 'zod';

const MAX_REASON = 500;

const form = z.object({
  reason: z.string().trim().min(1, 'reason_missing').max(MAX_REASON, 'reason_too_long'),
  until: z.union([z.literal(''), z.iso.date('until_invalid')]),
});

/** Error codes by form field. The app's locale files contain a message for each code. */
export type AcceptFaults = Partial<Record<'reason' | 'until', string>>;

/**
 * Accepts findings through a given date, or indefinitely if the date is empty. Accepted findings remain open but don't
 * need attention. The acceptance expires at the end of that date in the shop's time zone.
 *
 * @param fingerprints fingerprints from the form. Unknown fingerprints are ignored.
 * @returns form errors or the number of accepted findings
 * @example
 * await acceptFindings(shop, ['0127…'], { reason: 'Our agency needs it', until: '2027-01-31' }, { by: '42', now: Date.now() });
 */
export async function acceptFindings(
  shop: Shop,
  fingerprints: readonly string[],
  fields: { readonly reason: string; readonly until: string },
  { by, now }: { readonly by: string; readonly now: number },
): Promise<{ readonly faults: AcceptFaults } | { readonly accepted: number }> {
  const read = form.safeParse(fields);
  if (!read.success)
    return { faults: Object.fromEntries(read.error.issues.map(({ path, message }) => [path[0], message])) };
  const { reason, until } = read.data;
  const end = until === '' ? null : endOfDay(until, (await shop.record())?.timeZone ?? 'UTC');
  if (end !== null && end <= now) return { faults: { until: 'until_past' } };
  return { accepted: await shop.findings.accept(fingerprints, { reason, until: end, by }) };
}

const DAY_MS = 86_400_000;

/**
 * Returns the last millisecond of a day in a time zone. Uses a binary search, because a day when the clocks change
 * isn't 24 hours long.
 */
function endOfDay(day: string, zone: string): number {
  const local = dayIn(zone);
  let within = Date.parse(day) - DAY_MS;
  let after = Date.parse(day) + 2 * DAY_MS;
  while (after - within > 1) {
    const middle = Math.floor((within + after) / 2);
    if (local.format(middle) <= day) within = middle;
    else after = middle;
  }
  return within;
}

/** Returns a formatter that writes dates as YYYY-MM-DD. Uses UTC for an unknown time zone. */
function dayIn(timeZone: string): Intl.DateTimeFormat {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  try {
    return new Intl.DateTimeFormat('en-CA', { ...parts, timeZone });
  } catch {
    return new Intl.DateTimeFormat('en-CA', { ...parts, timeZone: 'UTC' });
  }
}
