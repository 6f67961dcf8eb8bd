import { ofKind } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'shopify_merchant_ga_script',
    title: 'Additional Google Analytics code from the preferences',
    severity: 'warn',
    since: '2023-07-01',
    owner: 'shopify_admin',
    what: '`ShopifyAnalytics.merchantGoogleAnalytics` has a body.',
    why: 'It belongs to the old Google Analytics setting, whose properties no longer process data.',
    fix: 'Remove the code in Online Store › Preferences and connect the Google & YouTube app.',
    sources: ['Shopify Help Center, Pixels › Migrating pixels'],
  },
  check(evidence, report) {
    const at = ofKind(evidence, 'shopify_api').find(s => s.api === 'merchant_ga');
    if (at) report({ at, message: 'Additional Google Analytics code is set in the preferences.', state: 'config' });
  },
});
