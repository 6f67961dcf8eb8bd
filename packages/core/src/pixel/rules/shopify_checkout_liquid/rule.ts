import { ofKind } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'shopify_checkout_liquid',
    title: 'The theme holds a checkout layout that no longer runs',
    severity: 'warn',
    escalates: { on: '2025-08-28', to: 'error' },
    since: '2024-08-13',
    owner: 'checkout',
    what: 'A theme archive holds layout/checkout.liquid. An info in a theme that is not published. A served page cannot show it.',
    why: 'Shopify stopped using it on 2024-08-13 for information, shipping and payment, and on 2025-08-28 for the thank-you page. Tags inside are dead.',
    fix: 'Move the tags to app or custom pixels, and the design to checkout extensions.',
    sources: ['https://shopify.dev/docs/storefronts/themes/architecture/layouts/checkout-liquid'],
  },
  check(evidence, report) {
    for (const at of ofKind(evidence, 'shopify_api')) {
      if (at.api !== 'checkout_liquid') continue;
      const message = `${at.detail} is no longer used.`;
      if (evidence.facts.preview) report({ at, message, ids: [at.detail], severity: 'info' });
      else report({ at, message, ids: [at.detail] });
    }
  },
});
