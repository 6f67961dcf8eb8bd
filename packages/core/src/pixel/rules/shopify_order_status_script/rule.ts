import { isPresent, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'shopify_order_status_script',
    title: 'Purchase tracking code for the retired order status page',
    severity: 'warn',
    escalates: { on: '2026-08-26', to: 'error' },
    since: '2026-08-26',
    owner: 'checkout',
    singleFile: true,
    what: 'Code reads `Shopify.checkout`, or a theme file uses Liquid variables that only the old order status page provides.',
    why: 'Script tags and additional scripts no longer run on the thank-you and order status pages. These scripts stopped running on August 28, 2025, for Shopify Plus, and on August 26, 2026, for all other plans. As a result, the purchase tracking code no longer sends events.',
    fix: 'Use an app pixel, or a custom pixel that subscribes to `checkout_completed`.',
    messages: {
      reads: 'Code reads {api}, which no longer has a value.',
      relies: '{api} relies on the old order status page.',
    },
    sources: ['https://shopify.dev/docs/apps/build/online-store/script-tag-deprecation'],
  },
  check(page, report) {
    const found = ofKind(page, 'shopify_api').filter(
      s => isPresent(s) && (s.api === 'checkout' || s.api === 'order_status_liquid'),
    );
    const [at] = found;
    if (!at) return;
    report({
      at,
      message: at.api === 'checkout' ? 'reads' : 'relies',
      values: { api: at.detail },
      ids: [...new Set(found.map(s => s.detail))].slice(0, 10),
    });
  },
});
