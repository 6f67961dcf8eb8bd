import { ofKind } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'meta_pixel_trekkie_preferences',
    title: 'Meta pixel set in Online Store › Preferences',
    severity: 'warn',
    since: null,
    owner: 'shopify_admin',
    what: "Shopify's own script is given a Facebook pixel id from the store's preferences.",
    why: 'Shopify has replaced this setting; it asks shops to move the pixel to the Facebook & Instagram channel, which also asks for consent and sends server events.',
    fix: 'Connect the Facebook & Instagram app, check the dataset id there, then remove the pixel from Preferences.',
    sources: ['Shopify Help Center, Pixels › Migrating pixels'],
  },
  check(evidence, report) {
    for (const at of ofKind(evidence, 'init')) {
      if (at.api !== 'preferences' || at.vendor !== 'meta') continue;
      const id = at.id.value;
      report({
        at,
        message: `Meta pixel ${id ?? '(id not readable)'} is set in the store's preferences.`,
        ids: id ? [id] : [],
      });
    }
  },
});
