import { ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'shopify_migrated_ga_custom_pixel',
    title: 'Custom pixel migrated from an old Google Analytics setting',
    severity: 'warn',
    since: null,
    owner: 'shopify_admin',
    what: 'A custom pixel is named exactly "Google Analytics tag (migrated)". The scan doesn\'t recognize translations of this name.',
    why: "Enhanced measurement and cross-domain measurement are limited in a custom pixel's sandbox.",
    fix: 'Connect the Google & YouTube app, and then delete the custom pixel.',
    messages: {
      migrated: 'Shopify migrated an old Google Analytics setting to a custom pixel.',
    },
    sources: ['Shopify Help Center, Pixels › Migrating pixels'],
  },
  check(page, report) {
    for (const at of ofKind(page, 'web_pixel')) {
      if (at.type === 'CUSTOM' && at.name === 'Google Analytics tag (migrated)') {
        report({ at, message: 'migrated', ids: [at.entry] });
      }
    }
  },
});
