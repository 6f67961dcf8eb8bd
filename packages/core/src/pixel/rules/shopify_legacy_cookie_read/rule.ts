import { groupBy, isPresent, ofKind } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

/** Last day before each cookie was gone, as Shopify announced it. */
const GONE: Readonly<Record<string, string>> = {
  _shopify_country: '2025-08-15',
  _tracking_consent: '2025-09-15',
  _landing_page: '2025-09-15',
  _orig_referrer: '2025-09-15',
  _shopify_y: '2026-01-01',
  _shopify_s: '2026-01-01',
};

export default defineRule({
  meta: {
    id: 'shopify_legacy_cookie_read',
    title: 'Code reads a cookie Shopify no longer sets',
    severity: 'warn',
    since: '2026-01-01',
    owner: 'theme',
    what: "Code names `_shopify_y`, `_shopify_s`, `_tracking_consent`, `_landing_page`, `_orig_referrer` or `_shopify_country`. Shopify's own script that does so is left out. An info before the cookie's date.",
    why: 'The cookie is empty, so the code works with nothing.',
    fix: 'Use the client id of a web pixel, or the Customer Privacy API.',
    sources: ['https://shopify.dev/changelog'],
  },
  check(evidence, report) {
    const found = ofKind(evidence, 'shopify_api').filter(s => s.api === 'cookie' && isPresent(s));
    for (const [cookie, all] of groupBy(found, s => s.detail)) {
      const since = GONE[cookie]!;
      const severity = evidence.facts.asOf >= since ? 'warn' : 'info';
      report({
        at: all[0]!,
        message: `Code reads the cookie ${cookie}, which is not set since ${since}.`,
        ids: [cookie],
        severity,
        since,
      });
    }
  },
});
