import { groupBy, isPresent, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

/** Date when Shopify stops setting each cookie, according to its announcement. */
const STOPPED: Readonly<Record<string, string>> = {
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
    title: 'Code reads a deprecated Shopify cookie',
    severity: 'warn',
    since: '2026-01-01',
    owner: 'theme',
    singleFile: true,
    what: "Code reads one of these cookies: `_shopify_y`, `_shopify_s`, `_tracking_consent`, `_landing_page`, `_orig_referrer`, or `_shopify_country`. Shopify's own script is ignored, and so is code that only lists cookie names. The finding is a note until Shopify stops setting the cookie.",
    why: "Without the cookie, the code doesn't get the data that it needs.",
    fix: 'Use the web pixel `clientId` or the Customer Privacy API.',
    messages: {
      stopped: 'Code reads the {cookie} cookie, which Shopify stopped setting on {date}.',
      stops: 'Code on the page reads the {cookie} cookie, which Shopify will stop setting on {date}.',
    },
    sources: ['https://shopify.dev/changelog'],
  },
  check(page, report) {
    const found = ofKind(page, 'shopify_api').filter(s => s.api === 'cookie' && isPresent(s));
    for (const [cookie, all] of groupBy(found, s => s.detail)) {
      const since = STOPPED[cookie]!;
      const stopped = page.facts.asOf >= since;
      report({
        at: all[0]!,
        message: stopped ? 'stopped' : 'stops',
        values: { cookie, date: since },
        ids: [cookie],
        severity: stopped ? 'warn' : 'info',
        since,
      });
    }
  },
});
