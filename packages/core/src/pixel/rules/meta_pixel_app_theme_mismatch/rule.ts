import { codeInits, lowestConfidence, placeOf, webPixels } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'meta_pixel_app_theme_mismatch',
    title: 'Theme and app run different Meta pixels',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: 'None of the pixel IDs that the page code initializes match the IDs that an app uses.',
    why: 'Each dataset receives only some of the events. Often, one dataset belongs to a former agency.',
    fix: 'Find out which dataset your campaigns use, and remove the other pixel.',
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
    const message = `${placeOf(at).replace('the', 'The')} runs Meta pixel ${[...themeIds].join(', ')}, but an app runs ${[...appIds].join(', ')}.`;
    report({ at, message, ids: [...themeIds, ...appIds], confidence: lowestConfidence(at, app) });
  },
});
