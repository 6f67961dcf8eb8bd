import { AD_PIXELS } from '../../ad-pixels/ad-pixels.ts';
import { isMisspelling } from '../../event-contracts/is-misspelling.ts';
import { nearestNames } from '../../event-contracts/nearest-name.ts';
import { adPixelInits } from '../../model/ad-pixel-queries.ts';
import { leastConfident } from '../../model/execution.ts';
import { isPresent, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';
import { pixelName } from '../../model/vendor.ts';

export default defineRule({
  meta: {
    id: 'ad_pixel_misspelled_event',
    title: 'Misspelled ad pixel event',
    severity: 'warn',
    since: null,
    owner: 'theme',
    singleFile: true,
    what: "A TikTok, Pinterest, Klaviyo, Snapchat, or Reddit event name either nearly matches one of the vendor's standard event names or is identical to the pixel's ID. Names that clearly belong to custom events aren't reported.",
    why: "The vendor treats the event as a custom event or discards it, so reports and campaigns that rely on the standard event don't receive it.",
    fix: 'Use the exact standard event name.',
    messages: {
      own_id: 'The {pixel} receives its own ID "{id}" as an event name.',
      not_standard: `The page sends the event "{event}" to the {pixel}, but this event isn't a standard event. Use "{standard}".`,
    },
    sources: [
      ...new Set(AD_PIXELS.flatMap(({ events, sources }) => (events?.kind === 'names' ? sources.events.url : []))),
    ],
  },
  check(page, report) {
    for (const description of AD_PIXELS) {
      const { vendor, events } = description;
      if (events?.kind !== 'names') continue;
      const pixelIds = new Set(adPixelInits(page, description).map(({ id }) => id));
      const nearestTo = nearestNames(events.names);
      for (const at of ofKind(page, 'event')) {
        if (at.vendor !== vendor || at.method !== 'track' || at.name === null || !isPresent(at)) continue;
        if (pixelIds.has(at.name)) {
          const id = at.name.slice(0, 60);
          report({ at, message: 'own_id', values: { pixel: pixelName(vendor), id }, ids: [id], variant: 'own_id' });
          continue;
        }
        const standard = nearestTo(at.name);
        if (standard === null || !isMisspelling(at.name, standard, events)) continue;
        report({
          at,
          message: 'not_standard',
          values: { pixel: pixelName(vendor), event: at.name, standard },
          ids: [at.name],
          confidence: leastConfident(at.confidence, 'likely'),
        });
      }
    }
  },
});
