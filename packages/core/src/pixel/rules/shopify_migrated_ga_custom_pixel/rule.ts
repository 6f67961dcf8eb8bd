import { ofKind } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'shopify_migrated_ga_custom_pixel',
    title: 'Shopify made a custom pixel of an old Google Analytics setting',
    severity: 'warn',
    since: null,
    owner: 'shopify_admin',
    what: 'A custom pixel is named exactly "Google Analytics tag (migrated)". Other languages of that name are not known.',
    why: 'In the sandbox of a custom pixel, enhanced and cross-domain measurement suffer.',
    fix: 'Connect the Google & YouTube app, then delete the custom pixel.',
    sources: ['Shopify Help Center, Pixels › Migrating pixels'],
  },
  check(evidence, report) {
    for (const at of ofKind(evidence, 'web_pixel')) {
      if (at.type === 'CUSTOM' && at.name === 'Google Analytics tag (migrated)') {
        report({ at, message: 'A custom pixel stands in for an old Google Analytics setting.', ids: [at.entry] });
      }
    }
  },
});
