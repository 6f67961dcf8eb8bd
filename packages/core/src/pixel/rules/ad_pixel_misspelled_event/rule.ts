import type { AdPixel } from '../../ad-pixels/ad-pixel.ts';
import { AD_PIXELS } from '../../ad-pixels/ad-pixels.ts';
import { adPixelInits } from '../../model/ad-pixel-queries.ts';
import { leastConfident } from '../../model/execution.ts';
import { isPresent, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

type EventNames = Extract<AdPixel['events'], { kind: 'names' }>;

/** Removes differences in capitalization and separators. */
const normalize = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Maximum length of a name that's compared with standard names. Longer names aren't misspellings of standard names. */
const MAX_LENGTH = 40;
/** Maximum number of different names per vendor, which limits the work that a malicious page can cause. */
const MAX_NAMES = 200;

/** Returns the number of inserted, deleted, replaced, and swapped characters between two short texts. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        last[j]! + 1,
        row[j - 1]! + 1,
        last[j - 1]! + (isSame ? 0 : 1),
        isSwap ? before[j - 2]! + 1 : 99,
      );
    }
    before = last;
    last = row;
  }
  return last[b.length]!;
}

/**
 * Returns the standard name that a name almost equals, or `null`. A name with another ending, such as `Purchased`, can be
 * a custom event.
 */
function meant(name: string, { names: standard, reserved = [], exact }: EventNames): string | null {
  if (name.length > MAX_LENGTH || standard.includes(name)) return null;
  const plain = normalize(name);
  if (reserved.some(r => normalize(r) === plain)) return null;
  const same = standard.find(s => normalize(s) === plain);
  if (same) return exact ? same : null;
  for (const one of standard) {
    const other = normalize(one);
    if (/^(?:d|ed|s|es|ing)$/.test(plain.startsWith(other) ? plain.slice(other.length) : '')) return null;
    const allowed = other.length >= 10 ? 2 : other.length >= 6 ? 1 : 0;
    if (Math.abs(other.length - plain.length) <= allowed && distance(plain, other) <= allowed) return one;
  }
  return null;
}

export default defineRule({
  meta: {
    id: 'ad_pixel_misspelled_event',
    title: 'Misspelled ad pixel event',
    severity: 'warn',
    since: null,
    owner: 'theme',
    singleFile: true,
    what: "The name of an event for TikTok, Pinterest, Klaviyo, Snapchat, or Reddit is almost equal to one of the vendor's standard events, or is the pixel's own ID. Names that clearly belong to custom events aren't reported.",
    why: "The vendor treats the event as a custom event or discards it, so reports and campaigns that rely on the standard event don't receive it.",
    fix: 'Use the exact name of the standard event.',
    sources: [
      ...new Set(AD_PIXELS.flatMap(({ events, sources }) => (events?.kind === 'names' ? sources.events.url : []))),
    ],
  },
  check(page, report) {
    for (const description of AD_PIXELS) {
      const { vendor, name: pixel, events } = description;
      if (events?.kind !== 'names') continue;
      const pixelIds = new Set(adPixelInits(page, description).map(({ id }) => id));
      const meanings = new Map<string, string | null>();
      for (const at of ofKind(page, 'event')) {
        if (at.vendor !== vendor || at.method !== 'track' || at.name === null || !isPresent(at)) continue;
        if (pixelIds.has(at.name)) {
          const message = `The ${pixel} gets its own ID "${at.name.slice(0, 60)}" as the name of an event.`;
          report({ at, message, ids: [at.name.slice(0, 60)], variant: 'own_id' });
          continue;
        }
        if (!meanings.has(at.name) && meanings.size < MAX_NAMES) meanings.set(at.name, meant(at.name, events));
        const standard = meanings.get(at.name);
        if (!standard) continue;
        report({
          at,
          message: `The ${pixel} gets the event "${at.name}", which isn't a standard event. Use "${standard}".`,
          ids: [at.name],
          confidence: leastConfident(at.confidence, 'likely'),
        });
      }
    }
  },
});
