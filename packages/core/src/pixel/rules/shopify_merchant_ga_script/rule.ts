import { ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'shopify_merchant_ga_script',
    title: 'Additional Google Analytics code in the store preferences',
    severity: 'warn',
    since: '2023-07-01',
    owner: 'shopify_admin',
    what: "The `ShopifyAnalytics.merchantGoogleAnalytics` function isn't empty.",
    why: 'The function belongs to the old Google Analytics setting for Universal Analytics, which no longer processes data.',
    fix: 'Remove the code in Online Store › Preferences, and connect the Google & YouTube app.',
    messages: {
      in_preferences: 'The store preferences contain additional Google Analytics code.',
    },
    sources: ['Shopify Help Center, Pixels › Migrating pixels'],
  },
  check(page, report) {
    const at = ofKind(page, 'shopify_api').find(s => s.api === 'merchant_ga');
    if (at) report({ at, message: 'in_preferences', state: 'config' });
  },
});
