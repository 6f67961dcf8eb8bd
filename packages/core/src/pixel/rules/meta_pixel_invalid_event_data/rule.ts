import { checkEvent, VIOLATION_MESSAGES, violationMessage } from '../../event-contracts/check-event.ts';
import { metaContract } from '../../event-contracts/contracts.ts';
import { leastConfident } from '../../model/execution.ts';
import { isPresent, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'meta_pixel_invalid_event_data',
    title: 'Meta event with missing or invalid data',
    severity: 'warn',
    since: null,
    owner: 'theme',
    singleFile: true,
    what: 'A standard event has a `value` that isn\'t a number, such as `"$12"`, or a `currency` that isn\'t an ISO 4217 code. The rule also reports a `Purchase` event that is missing either parameter. These findings are more severe for `Purchase`. The rule doesn’t check values that are computed at runtime. On Shopify, the rule also reports `Purchase`, `AddToCart`, and `ViewContent` events without product IDs, but only as a note.',
    why: "Meta can't use the value, so return on ad spend and value optimization are unreliable. Catalog ads need the product IDs.",
    fix: "Send the value as a number and the currency as a three-letter code: `fbq('track', 'Purchase', { value: 12.5, currency: 'USD', content_ids: ['123'], content_type: 'product' })`.",
    messages: VIOLATION_MESSAGES,
    sources: [
      metaContract.source,
      'https://developers.facebook.com/docs/meta-pixel/implementation/conversion-tracking',
    ],
  },
  check(page, report) {
    for (const at of ofKind(page, 'event')) {
      if (at.vendor !== 'meta' || (at.method !== 'track' && at.method !== 'trackSingle') || !isPresent(at)) continue;
      if (at.name === null || !at.parameters) continue;
      for (const violation of checkEvent(metaContract, at.name, at.parameters)) {
        const isNote = violation.problem === 'not_recommended';
        // Sites that aren't shops use ViewContent for pages without products.
        if (isNote && !page.facts.shopify.detected) continue;
        const isConversion = metaContract.events[at.name]!.conversion;
        report({
          at,
          ...violationMessage(at.name, violation),
          ids: [at.name, violation.parameter],
          variant: violation.problem,
          severity: isNote ? 'info' : isConversion ? 'error' : 'warn',
          confidence: leastConfident(at.confidence, violation.confidence),
        });
      }
    }
  },
});
