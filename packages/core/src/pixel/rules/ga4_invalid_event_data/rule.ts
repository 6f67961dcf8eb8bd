import { checkEvent, VIOLATION_MESSAGES, violationMessage } from '../../event-contracts/check-event.ts';
import { ga4Contract } from '../../event-contracts/contracts.ts';
import type { EventParameters } from '../../model/event-parameters.ts';
import { leastConfident } from '../../model/execution.ts';
import { ga4Events, isPresent, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

/** Parameters that Google Analytics needs to count a purchase once and record its revenue. */
const REVENUE = new Set(['transaction_id', 'value', 'currency']);

export default defineRule({
  meta: {
    id: 'ga4_invalid_event_data',
    title: 'GA4 e-commerce event with missing or invalid data',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: 'A recommended e-commerce event is missing a required parameter, such as `items`, `transaction_id`, or the `currency` of its `value`. The rule also reports values that Google Analytics can\'t read, such as `"$12"` or an item with neither `item_id` nor `item_name`. The finding is more severe if the transaction ID, value, or currency of a `purchase` event is missing or invalid. The rule doesn’t check values that are computed at runtime.',
    why: "Without a valid value and currency, Google Analytics reports no revenue. Without `transaction_id`, Google Analytics can't recognize duplicate purchases. Without items, product reports are empty.",
    fix: "Send all required parameters: `gtag('event', 'purchase', { transaction_id: '1001', value: 12.5, currency: 'USD', items: [{ item_id: '123', quantity: 1 }] })`.",
    messages: VIOLATION_MESSAGES,
    sources: [ga4Contract.source],
  },
  check(page, report) {
    const { facts } = page;
    const set = ofKind(page, 'event_defaults').filter(o => o.vendor === 'google' && isPresent(o));
    const defaults: EventParameters = {
      values: new Map(set.flatMap(o => [...o.parameters.values])),
      complete: set.some(o => o.parameters.complete === 'no') ? 'no' : 'assumed',
    };
    for (const { at, confidence } of ga4Events(page)) {
      if (at.name === null || !at.parameters) continue;
      for (const violation of checkEvent(ga4Contract, at.name, at.parameters, defaults)) {
        // A script that the scan didn't read might set a default for a parameter.
        const isAssumed = violation.value === null && facts.hasUnreadScripts;
        const isPurchase = ga4Contract.events[at.name]!.conversion;
        report({
          at,
          ...violationMessage(at.name, violation),
          ids: [at.name, violation.parameter],
          variant: violation.problem,
          severity: isPurchase && REVENUE.has(violation.parameter) ? 'error' : 'warn',
          confidence: leastConfident(confidence, violation.confidence, isAssumed ? 'likely' : 'certain'),
        });
      }
    }
  },
});
