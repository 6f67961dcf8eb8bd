import { ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'meta_pixel_trekkie_preferences',
    title: 'Meta pixel in Online Store › Preferences',
    severity: 'warn',
    since: null,
    owner: 'shopify_admin',
    what: "The store preferences contain a Meta pixel ID, and Shopify's script uses it.",
    why: 'Shopify replaced this setting and asks merchants to move the pixel to the Facebook & Instagram app. The app also respects consent and sends server events.',
    fix: 'Connect the Facebook & Instagram app, check the dataset ID there, and then remove the pixel from Online Store › Preferences.',
    messages: {
      in_preferences: 'Meta pixel {id} is set in the store preferences.',
      in_preferences_unknown_id: 'A Meta pixel with an unreadable ID is set in the store preferences.',
    },
    sources: ['Shopify Help Center, Pixels › Migrating pixels'],
  },
  check(page, report) {
    for (const at of ofKind(page, 'init')) {
      if (at.api !== 'preferences' || at.vendor !== 'meta') continue;
      const id = at.id.value;
      report({
        at,
        ...(id === null ? { message: 'in_preferences_unknown_id' } : { message: 'in_preferences', values: { id } }),
        ids: id ? [id] : [],
      });
    }
  },
});
