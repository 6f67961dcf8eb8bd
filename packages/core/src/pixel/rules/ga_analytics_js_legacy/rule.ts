import { isPresent, ofKind } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'ga_analytics_js_legacy',
    title: 'Tags of analytics.js, Universal Analytics',
    severity: 'error',
    since: '2023-07-01',
    owner: 'theme',
    what: 'The page loads analytics.js, names a `GoogleAnalyticsObject`, or creates a tracker.',
    why: 'Universal Analytics stopped processing data on 2023-07-01, for 360 customers on 2024-07-01.',
    fix: 'Delete the tags and connect the Google & YouTube app.',
    fixHeadless: 'Delete the tags and load the Google tag in the storefront code.',
    sources: ['https://support.google.com/analytics/answer/11583528', 'https://shopify.dev/changelog'],
  },
  check(evidence, report) {
    const creates = ofKind(evidence, 'init').filter(s => s.api === 'analytics' && isPresent(s));
    const named = ofKind(evidence, 'legacy').filter(s => s.api === 'analytics' && isPresent(s));
    const loaders = ofKind(evidence, 'loader').filter(s => s.library === 'analytics' && isPresent(s));
    const at = creates[0] ?? named[0] ?? loaders[0];
    if (!at) return;
    const ids = [...new Set(creates.flatMap(s => (s.id.value === null ? [] : [s.id.value])))];
    const fromShopify = creates.length > 0 && creates.every(s => s.emitter === 'shopify');
    const mitigated = ofKind(evidence, 'init').some(
      s => s.api === 'gtag' && isPresent(s) && !s.id.value?.startsWith('UA-'),
    );
    const message = `analytics.js is used${ids.length > 0 ? ` for ${ids.join(', ')}` : ''}; Universal Analytics no longer processes data.`;
    report({ at, message, ids, owner: fromShopify ? 'shopify_admin' : 'theme', mitigated });
  },
});
