import { ofKind } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'ga_universal_shopify_preferences',
    title: 'Universal Analytics is set in Online Store › Preferences',
    severity: 'error',
    since: '2023-07-01',
    owner: 'shopify_admin',
    what: "Shopify's own script is given an id of the form UA-… from the store's preferences.",
    why: 'Universal Analytics stopped processing data on 2023-07-01.',
    fix: 'Connect the Google & YouTube app with a GA4 property, and remove the id from Preferences.',
    sources: ['Shopify Help Center, Pixels › Migrating pixels', 'https://support.google.com/analytics/answer/11583528'],
  },
  check(evidence, report) {
    for (const at of ofKind(evidence, 'init')) {
      const id = at.id.value;
      if (at.api !== 'preferences' || at.vendor !== 'google' || !id?.startsWith('UA-')) continue;
      report({ at, message: `${id} is set in the store's preferences; it no longer processes data.`, ids: [id] });
    }
  },
});
