import { isPresent, ofKind, webPixels } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

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
    title: 'A conversion event carries no event id',
    severity: 'info',
    since: null,
    owner: 'theme',
    what: 'A conversion is sent with `track` and without `eventID`. It is a warning when server events are evident: an app pixel, or Shopify sending them.',
    why: 'Meta joins browser and server events by name and event id within 48 hours. Without the id both are counted.',
    fix: "Give the same id on both sides: fbq('track', 'Purchase', {…}, { eventID: order_id }).",
    sources: ['https://developers.facebook.com/docs/marketing-api/conversions-api/deduplicate-pixel-and-server-events'],
  },
  check(evidence, report) {
    const server = evidence.facts.metaServerEvents || webPixels(evidence, 'meta').length > 0;
    for (const at of ofKind(evidence, 'event')) {
      if (at.vendor !== 'meta' || (at.method !== 'track' && at.method !== 'trackSingle') || !isPresent(at)) continue;
      if (at.name === null || !CONVERSIONS.includes(at.name) || at.eventId === 'present') continue;
      const confidence = at.eventId === 'unknown' ? 'possible' : at.confidence;
      report({
        at,
        message: `${at.name} is sent without an event id.`,
        ids: [at.name],
        severity: server ? 'warn' : 'info',
        confidence,
      });
    }
  },
});
