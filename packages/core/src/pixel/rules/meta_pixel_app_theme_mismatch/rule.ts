import { codeInits, lowestConfidence, placeOf, webPixels } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'meta_pixel_app_theme_mismatch',
    title: 'App runs a different Meta pixel',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: 'The page code initializes pixel IDs, but none of them match the IDs used by an app.',
    why: 'Each dataset receives only some of the events. Often, one dataset belongs to a former agency.',
    fix: 'Find out which dataset your campaigns use, and remove the pixel that belongs to the other dataset.',
    messages: {
      theme: 'The theme runs Meta pixel {ids}, but an app runs a different pixel, {app_ids}.',
      container: 'The Tag Manager container runs Meta pixel {ids}, but an app runs a different pixel, {app_ids}.',
    },
    sources: ['Observed in practice'],
  },
  check(page, report) {
    const apps = webPixels(page, 'meta').filter(a => a.ids.length > 0);
    const inits = codeInits(page, 'meta').filter(s => s.id.value !== null);
    const [at] = inits;
    const [app] = apps;
    if (!at || !app) return;
    const appIds = new Set(apps.flatMap(a => a.ids));
    const themeIds = new Set(inits.map(s => s.id.value!));
    if ([...themeIds].some(id => appIds.has(id))) return;
    report({
      at,
      message: placeOf(at),
      values: { ids: [...themeIds], app_ids: [...appIds] },
      ids: [...themeIds, ...appIds],
      confidence: lowestConfidence(at, app),
    });
  },
});
