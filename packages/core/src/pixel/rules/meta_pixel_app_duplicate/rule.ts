import { codeInits, lowestConfidence, placeOf, webPixels } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'meta_pixel_app_duplicate',
    title: 'Theme and app run the same Meta pixel',
    severity: 'error',
    since: null,
    owner: 'theme',
    what: 'The page code initializes a pixel ID that an app pixel also uses.',
    why: 'The app also sends page view, product view, add-to-cart, checkout, and purchase events, so each of these events is counted twice.',
    fix: 'Delete the base code from the theme and keep the app.',
    sources: ['Shopify Help Center, Pixels › Migrating pixels'],
  },
  check(page, report) {
    const apps = webPixels(page, 'meta');
    const reported = new Set<string>();
    for (const at of codeInits(page, 'meta')) {
      const id = at.id.value;
      const app = apps.find(a => id !== null && a.ids.includes(id));
      if (!app || id === null || reported.has(id)) continue;
      reported.add(id);
      report({
        at,
        message: `Meta pixel ${id} runs in both ${placeOf(at)} and an app, so every event is counted twice.`,
        ids: [id],
        confidence: lowestConfidence(at, app),
      });
    }
  },
});
