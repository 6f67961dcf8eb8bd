import type { AdPixel } from '../../ad-pixels/ad-pixel.ts';
import { AD_PIXELS } from '../../ad-pixels/ad-pixels.ts';
import { nearestNames, normalizeName } from '../../event-contracts/nearest-name.ts';
import { adPixelInits } from '../../model/ad-pixel-queries.ts';
import { leastConfident } from '../../model/execution.ts';
import { isPresent, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

type EventNames = Extract<AdPixel['events'], { kind: 'names' }>;

/**
 * Matches the ending that an inflected form, such as `Purchased`, adds to a name. An inflected name can be a custom event.
 */
const INFLECTION = /^(?:d|ed|s|es|ing)$/;

/** Returns whether a name that is similar to a standard event name is a misspelling rather than a custom event. */
function isMisspelling(name: string, nearest: string, { reserved = [], exact }: EventNames): boolean {
  const plain = normalizeName(name);
  if (reserved.some(other => normalizeName(other) === plain)) return false;
  const meaning = normalizeName(nearest);
  if (plain === meaning) return exact;
  return !(plain.startsWith(meaning) && INFLECTION.test(plain.slice(meaning.length)));
}

export default defineRule({
  meta: {
    id: 'ad_pixel_misspelled_event',
    title: 'Misspelled ad pixel event',
    severity: 'warn',
    since: null,
    owner: 'theme',
    singleFile: true,
    what: "A TikTok, Pinterest, Klaviyo, Snapchat, or Reddit event name is almost the same as one of the vendor's standard event names, or is the pixel's own ID. Names that clearly belong to custom events aren't reported.",
    why: "The vendor treats the event as a custom event or discards it, so reports and campaigns that rely on the standard event don't receive it.",
    fix: 'Use the exact standard event name.',
    sources: [
      ...new Set(AD_PIXELS.flatMap(({ events, sources }) => (events?.kind === 'names' ? sources.events.url : []))),
    ],
  },
  check(page, report) {
    for (const description of AD_PIXELS) {
      const { vendor, name: pixel, events } = description;
      if (events?.kind !== 'names') continue;
      const pixelIds = new Set(adPixelInits(page, description).map(({ id }) => id));
      const nearestTo = nearestNames(events.names);
      for (const at of ofKind(page, 'event')) {
        if (at.vendor !== vendor || at.method !== 'track' || at.name === null || !isPresent(at)) continue;
        if (pixelIds.has(at.name)) {
          const message = `The ${pixel} receives its own ID "${at.name.slice(0, 60)}" as an event name.`;
          report({ at, message, ids: [at.name.slice(0, 60)], variant: 'own_id' });
          continue;
        }
        const standard = nearestTo(at.name);
        if (standard === null || !isMisspelling(at.name, standard, events)) continue;
        report({
          at,
          message: `The ${pixel} receives the event "${at.name}", which isn't a standard event. Use "${standard}".`,
          ids: [at.name],
          confidence: leastConfident(at.confidence, 'likely'),
        });
      }
    }
  },
});
