import { codeInits, lowestConfidence, placeOf, webPixels } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'meta_pixel_app_duplicate',
    title: 'Meta pixel run by both page code and an app',
    severity: 'error',
    since: null,
    owner: 'theme',
    what: 'The page code initializes a pixel ID that an app pixel also uses.',
    why: 'The app sends page view, product view, add-to-cart, checkout, and purchase events. If the page code also sends one of these events, the event is counted twice.',
    fix: 'Delete the pixel from the theme or the Tag Manager container, and keep the app.',
    messages: {
      theme: 'Meta pixel {id} runs in both the theme and an app, so events that both send are counted twice.',
      container:
        'Meta pixel {id} runs in both the Tag Manager container and an app, so events that both send are counted twice.',
    },
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
        message: placeOf(at),
        values: { id },
        ids: [id],
        confidence: lowestConfidence(at, app),
      });
    }
  },
});
