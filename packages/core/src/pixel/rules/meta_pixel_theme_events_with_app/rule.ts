import { isLive, ofKind, placeOf, webPixels } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

const COMMERCE = ['AddToCart', 'ViewContent', 'InitiateCheckout', 'AddPaymentInfo', 'Purchase', 'Search'];

export default defineRule({
  meta: {
    id: 'meta_pixel_theme_events_with_app',
    title: 'Theme sends events that the app also sends',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: 'The page has a Meta app pixel, and the page code also sends commerce events with `track`. The finding is a note if the event has an event ID.',
    why: "The app sends the same events. Without a shared event ID, Meta can't recognize the events as duplicates.",
    fix: 'Delete the calls from the theme. The app continues to send these events.',
    sources: ['https://developers.facebook.com/docs/marketing-api/conversions-api/deduplicate-pixel-and-server-events'],
  },
  check(page, report) {
    if (webPixels(page, 'meta').length === 0) return;
    for (const at of ofKind(page, 'event')) {
      if (
        at.vendor !== 'meta' ||
        at.method !== 'track' ||
        at.name === null ||
        !COMMERCE.includes(at.name) ||
        !isLive(at)
      )
        continue;
      const severity = at.eventId === 'present' ? 'info' : 'warn';
      report({
        at,
        message: `${placeOf(at).replace('the', 'The')} sends ${at.name}, which the app pixel also sends.`,
        ids: [at.name],
        severity,
      });
    }
  },
});
