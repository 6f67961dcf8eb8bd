import { ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'ga_universal_shopify_preferences',
    title: 'Universal Analytics ID in Online Store › Preferences',
    severity: 'error',
    since: '2023-07-01',
    owner: 'shopify_admin',
    what: "The store preferences contain an ID that starts with `UA-`, and Shopify's script uses it.",
    why: 'Universal Analytics stopped processing data on July 1, 2023.',
    fix: 'Connect the Google & YouTube app to a GA4 property, and remove the ID from Online Store › Preferences.',
    messages: {
      in_preferences: '{id} is set in the store preferences, but Universal Analytics no longer processes data.',
    },
    sources: ['Shopify Help Center, Pixels › Migrating pixels', 'https://support.google.com/analytics/answer/11583528'],
  },
  check(page, report) {
    for (const at of ofKind(page, 'init')) {
      const id = at.id.value;
      if (at.api !== 'preferences' || at.vendor !== 'google' || !id?.startsWith('UA-')) continue;
      report({
        at,
        message: 'in_preferences',
        values: { id },
        ids: [id],
      });
    }
  },
});
