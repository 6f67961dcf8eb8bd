import { isPresent, ofKind, webPixels } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

const CONVERSIONS = [
  'Purchase',
  'Lead',
  'AddToCart',
  'InitiateCheckout',
  'AddPaymentInfo',
  'CompleteRegistration',
  'ViewContent',
  'Subscribe',
  'StartTrial',
];

export default defineRule({
  meta: {
    id: 'meta_pixel_missing_event_id',
    title: 'Conversion event without an event ID',
    severity: 'info',
    since: null,
    owner: 'theme',
    what: 'Code sends a conversion event with `track` or `trackSingle` but without an `eventID`. The finding is a warning if the page has a Meta app pixel or indicates that Shopify sends server events.',
    why: 'Meta deduplicates browser and server events that have the same event name and event ID and arrive within 48 hours of each other. Without an event ID, Meta can match events only by event name and `fbp` or `external_id`. If the events share neither of these values, Meta counts both.',
    fix: "Send the same event ID from the browser and the server: `fbq('track', 'Purchase', {…}, { eventID: order_id })`.",
    messages: {
      missing: '{event} is sent without an event ID.',
    },
    sources: ['https://developers.facebook.com/docs/marketing-api/conversions-api/deduplicate-pixel-and-server-events'],
  },
  check(page, report) {
    const server = page.facts.metaServerEvents || webPixels(page, 'meta').length > 0;
    for (const at of ofKind(page, 'event')) {
      if (at.vendor !== 'meta' || (at.method !== 'track' && at.method !== 'trackSingle') || !isPresent(at)) continue;
      if (at.name === null || !CONVERSIONS.includes(at.name) || at.eventId === 'present') continue;
      const confidence = at.eventId === 'unknown' ? 'possible' : at.confidence;
      report({
        at,
        message: 'missing',
        values: { event: at.name },
        ids: [at.name],
        severity: server ? 'warn' : 'info',
        confidence,
      });
    }
  },
});
