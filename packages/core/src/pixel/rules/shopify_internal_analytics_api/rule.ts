import { groupBy, isLive, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'shopify_internal_analytics_api',
    title: "Code uses Shopify's internal analytics API",
    severity: 'warn',
    since: null,
    owner: 'theme',
    singleFile: true,
    what: "Theme or app code calls `ShopifyAnalytics.lib` or `trekkie`, or reads `ShopifyAnalytics.meta`. Shopify's own scripts are ignored.",
    why: 'The API is undocumented, and newer pages include only a shim instead of the full API.',
    fix: 'Use `Shopify.analytics.publish` in the theme, and subscribe to the event in a web pixel.',
    messages: {
      used: 'Code uses {apis}.',
    },
    sources: ['https://shopify.dev/docs/api/web-pixels-api'],
  },
  check(page, report) {
    const apis = ['analytics_lib', 'analytics_meta'];
    const found = ofKind(page, 'shopify_api').filter(s => apis.includes(s.api) && s.channel === 'theme' && isLive(s));
    for (const [api, all] of groupBy(found, s => s.api)) {
      const names = [...new Set(all.map(s => s.detail))].slice(0, 10);
      report({ at: all[0]!, message: 'used', values: { apis: names }, ids: names, variant: api });
    }
  },
});
