import { isLive, ofKind, webPixels } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

const COMMERCE = ['AddToCart', 'ViewContent', 'InitiateCheckout', 'AddPaymentInfo', 'Purchase', 'Search'];

export default defineRule({
  meta: {
    id: 'meta_pixel_theme_events_with_app',
    title: 'The theme sends events that the app sends too',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: 'An app pixel is there, and the code of the page sends commerce events with `track`, without an event id. With one it is an info.',
    why: 'The app sends the same events. Without a shared event id Meta cannot tell the copies apart.',
    fix: 'Delete the calls from the theme; the app sends these events.',
    sources: ['https://developers.facebook.com/docs/marketing-api/conversions-api/deduplicate-pixel-and-server-events'],
  },
  check(evidence, report) {
    if (webPixels(evidence, 'meta').length === 0) return;
    for (const at of ofKind(evidence, 'event')) {
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
        message: `The theme sends ${at.name}, which the app pixel sends as well.`,
        ids: [at.name],
        severity,
      });
    }
  },
});
