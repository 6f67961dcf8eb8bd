import { codeInits, weakest, webPixels } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'meta_pixel_app_duplicate',
    title: 'Theme and app run the same Meta pixel',
    severity: 'error',
    since: null,
    owner: 'theme',
    what: 'An id started by the code of the page is also the id of an app pixel.',
    why: 'The app sends page views, product views, carts, checkouts and purchases itself; each is counted a second time.',
    fix: 'Delete the snippet from the theme and keep the app.',
    sources: ['Shopify Help Center, Pixels › Migrating pixels'],
  },
  check(evidence, report) {
    const apps = webPixels(evidence, 'meta');
    const told = new Set<string>();
    for (const at of codeInits(evidence, 'meta')) {
      const id = at.id.value;
      const app = apps.find(a => id !== null && a.ids.includes(id));
      if (!app || id === null || told.has(id)) continue;
      told.add(id);
      report({
        at,
        message: `Meta pixel ${id} is run by the theme and by an app; every event counts twice.`,
        ids: [id],
        confidence: weakest(at, app),
      });
    }
  },
});
