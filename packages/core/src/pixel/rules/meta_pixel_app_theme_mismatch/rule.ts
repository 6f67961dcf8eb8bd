import { codeInits, weakest, webPixels } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'meta_pixel_app_theme_mismatch',
    title: 'Theme and app run different Meta pixels',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: 'The code of the page starts a pixel id, an app runs another, and they have none in common.',
    why: 'Two datasets each learn from half of what happens. Often one belongs to a former agency.',
    fix: 'Find out which dataset the campaigns use, and remove the other.',
    sources: ['Practice'],
  },
  check(evidence, report) {
    const apps = webPixels(evidence, 'meta').filter(a => a.ids.length > 0);
    const inits = codeInits(evidence, 'meta').filter(s => s.id.value !== null);
    const [at] = inits;
    const [app] = apps;
    if (!at || !app) return;
    const ofApps = new Set(apps.flatMap(a => a.ids));
    const ofTheme = new Set(inits.map(s => s.id.value!));
    if ([...ofTheme].some(id => ofApps.has(id))) return;
    const message = `The theme runs Meta pixel ${[...ofTheme].join(', ')}, an app runs ${[...ofApps].join(', ')}.`;
    report({ at, message, ids: [...ofTheme, ...ofApps], confidence: weakest(at, app) });
  },
});
