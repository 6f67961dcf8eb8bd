import { ga4Contract } from '../../event-contracts/contracts.ts';
import { nearestNames } from '../../event-contracts/nearest-name.ts';
import { leastConfident } from '../../model/execution.ts';
import { ga4Events } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

const RECOMMENDED = Object.keys(ga4Contract.events);
const { names, prefixes, source } = ga4Contract.reserved!;

/**
 * Custom event names that resemble recommended names but aren't misspellings. For example, `view_card` can be an event
 * for a product card.
 */
const OWN_NAMES = new Set(['view_card']);

export default defineRule({
  meta: {
    id: 'ga4_misspelled_event',
    title: 'Misspelled or reserved GA4 event name',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: 'A `gtag` event name, such as `add_to_chart` or `AddToCart`, nearly matches a recommended e-commerce event name, such as `add_to_cart`. In the `reserved` variant, the name is reserved by Google Analytics, so the finding is only a note.',
    why: 'Google Analytics recognizes a recommended event only if its name matches exactly, including case. It treats a misspelled event as a custom event, which e-commerce reports ignore. In reports, an event with a reserved name can’t be distinguished from the events that Google Analytics collects automatically.',
    fix: "Use the exact recommended event name, or a name that Google Analytics doesn't reserve.",
    messages: {
      reserved: 'The event name "{event}" is reserved by Google Analytics.',
      not_recommended: `"{event}" isn't a recommended event. Use "{recommended}".`,
    },
    sources: [ga4Contract.source, source],
  },
  check(page, report) {
    const nearestTo = nearestNames(RECOMMENDED);
    for (const { at, confidence } of ga4Events(page)) {
      const { name, parameters } = at;
      if (name === null) continue;
      const shown = name.slice(0, 80);
      if (names.includes(name) || prefixes.some(prefix => name.startsWith(prefix))) {
        report({
          at,
          message: 'reserved',
          values: { event: shown },
          ids: [shown],
          variant: 'reserved',
          severity: 'info',
          confidence: leastConfident(confidence, 'likely'),
        });
        continue;
      }
      // Events with a category are Universal Analytics events, which have custom names. Names with digits are
      // presumably deliberate, too.
      if (parameters?.values.has('event_category') || /\d/.test(name) || OWN_NAMES.has(name)) continue;
      const meant = nearestTo(name);
      if (meant === null || isInflected(name, meant)) continue;
      report({
        at,
        message: 'not_recommended',
        values: { event: shown, recommended: meant },
        ids: [shown],
        confidence: leastConfident(confidence, 'likely'),
      });
    }
  },
});

/**
 * Returns whether a name, such as `purchases`, only adds an ending to the recommended name and might therefore be
 * deliberate.
 */
const isInflected = (name: string, meant: string): boolean =>
  name.length > meant.length && new RegExp(`^${meant}(?:s|d|ed|_?\\w)$`).test(name);
