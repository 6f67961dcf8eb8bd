import { isLive, ofKind, placeOf, webPixels } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

const COMMERCE = ['AddToCart', 'ViewContent', 'InitiateCheckout', 'AddPaymentInfo', 'Purchase', 'Search'];

export default defineRule({
  meta: {
    id: 'meta_pixel_theme_events_with_app',
    title: 'Meta events sent by both page code and an app',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: 'The page has a Meta app pixel, and the page code also sends commerce events with `track`. The finding is a note if the event has an event ID.',
    why: 'The app sends the same events. Without a shared event ID, Meta might not recognize the events as duplicates.',
    fix: 'Delete the calls from the theme or the Tag Manager container. The app continues to send these events.',
    messages: {
      theme: 'The theme sends {event}, which the app pixel also sends.',
      container: 'The Tag Manager container sends {event}, which the app pixel also sends.',
    },
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
        message: placeOf(at),
        values: { event: at.name },
        ids: [at.name],
        severity,
      });
    }
  },
});
