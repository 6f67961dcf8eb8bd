import { groupBy, isLive, ofKind } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'shopify_internal_analytics_api',
    title: "Code uses Shopify's internal analytics",
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: "Code of the theme or an app calls `ShopifyAnalytics.lib` or `trekkie`, or reads `ShopifyAnalytics.meta`. Shopify's own scripts are left out.",
    why: 'The interface is undocumented, and newer pages hold only a stand-in for it.',
    fix: 'Use Shopify.analytics.publish in the theme, and subscribe in a web pixel.',
    sources: ['https://shopify.dev/docs/api/web-pixels-api'],
  },
  check(evidence, report) {
    const apis = ['analytics_lib', 'analytics_meta'];
    const found = ofKind(evidence, 'shopify_api').filter(
      s => apis.includes(s.api) && s.channel === 'theme' && isLive(s),
    );
    for (const [api, all] of groupBy(found, s => s.api)) {
      const names = [...new Set(all.map(s => s.detail))].slice(0, 10);
      report({ at: all[0]!, message: `Code uses ${names.join(', ')}.`, ids: names, variant: api });
    }
  },
});
