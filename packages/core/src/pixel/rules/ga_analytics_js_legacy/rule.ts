import { isPresent, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'ga_analytics_js_legacy',
    title: 'Universal Analytics tag (analytics.js)',
    severity: 'error',
    since: '2023-07-01',
    owner: 'theme',
    singleFile: true,
    what: 'The page loads `analytics.js`, sets `GoogleAnalyticsObject`, or creates an `analytics.js` tracker.',
    why: 'Universal Analytics stopped processing data on July 1, 2023 (July 1, 2024, for Universal Analytics 360).',
    fix: 'Delete the tag and connect the Google & YouTube app.',
    fixHeadless: 'Delete the tag and load the Google tag in the storefront code.',
    messages: {
      used: 'The page uses analytics.js. Universal Analytics no longer processes data.',
      used_for_ids: 'The page uses analytics.js for {ids}. Universal Analytics no longer processes data.',
    },
    sources: ['https://support.google.com/analytics/answer/11583528', 'https://shopify.dev/changelog'],
  },
  check(page, report) {
    const creates = ofKind(page, 'init').filter(s => s.api === 'analytics' && isPresent(s));
    const named = ofKind(page, 'legacy').filter(s => s.api === 'analytics' && isPresent(s));
    const loaders = ofKind(page, 'loader').filter(s => s.library === 'analytics' && isPresent(s));
    const at = creates[0] ?? named[0] ?? loaders[0];
    if (!at) return;
    const ids = [...new Set(creates.flatMap(s => (s.id.value === null ? [] : [s.id.value])))];
    const fromShopify = creates.length > 0 && creates.every(s => s.emitter === 'shopify');
    const mitigated = ofKind(page, 'init').some(
      s => s.api === 'gtag' && isPresent(s) && !s.id.value?.startsWith('UA-'),
    );
    report({
      at,
      ...(ids.length > 0 ? { message: 'used_for_ids', values: { ids } } : { message: 'used' }),
      ids,
      owner: fromShopify ? 'shopify_admin' : 'theme',
      mitigated,
    });
  },
});
