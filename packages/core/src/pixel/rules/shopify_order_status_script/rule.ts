import { isPresent, ofKind } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'shopify_order_status_script',
    title: 'Purchase code for the retired order status page',
    severity: 'warn',
    escalates: { on: '2026-08-26', to: 'error' },
    since: '2026-08-26',
    owner: 'checkout',
    what: 'Code reads `Shopify.checkout`, or a theme file uses Liquid that only the old order status page filled in.',
    why: 'Script tags and additional scripts stopped on the thank-you and order status pages: on 2025-08-28 for Plus, on 2026-08-26 for all other plans. The purchase is not sent.',
    fix: 'Use an app pixel, or a custom pixel that subscribes to checkout_completed.',
    sources: ['https://shopify.dev/docs/apps/build/online-store/script-tag-deprecation'],
  },
  check(evidence, report) {
    const found = ofKind(evidence, 'shopify_api').filter(
      s => isPresent(s) && (s.api === 'checkout' || s.api === 'order_status_liquid'),
    );
    const [at] = found;
    if (!at) return;
    const message =
      at.api === 'checkout'
        ? `Code reads ${at.detail}, which is no longer filled in.`
        : `${at.detail} relies on the old order status page.`;
    report({ at, message, ids: [...new Set(found.map(s => s.detail))].slice(0, 10) });
  },
});
