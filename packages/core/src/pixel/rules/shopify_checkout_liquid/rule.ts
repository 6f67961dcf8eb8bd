import { ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'shopify_checkout_liquid',
    title: 'Theme has a checkout layout that Shopify no longer uses',
    severity: 'warn',
    escalates: { on: '2025-08-28', to: 'error' },
    since: '2024-08-13',
    owner: 'checkout',
    singleFile: true,
    what: "The theme files include `layout/checkout.liquid`. A page scan can't detect this file. The finding is a note for an unpublished theme.",
    why: 'Shopify stopped using this file on August 13, 2024, for the information, shipping, and payment pages, and on August 28, 2025, for the thank-you page. Tags in this file no longer run.',
    fix: 'Move the tags to app pixels or custom pixels, and rebuild the customizations with checkout extensions.',
    messages: {
      unused: 'Shopify no longer uses {api}.',
    },
    sources: ['https://shopify.dev/docs/storefronts/themes/architecture/layouts/checkout-liquid'],
  },
  check(page, report) {
    for (const at of ofKind(page, 'shopify_api')) {
      if (at.api !== 'checkout_liquid') continue;
      report({
        at,
        message: 'unused',
        values: { api: at.detail },
        ids: [at.detail],
        ...(page.facts.preview && { severity: 'info' }),
      });
    }
  },
});
