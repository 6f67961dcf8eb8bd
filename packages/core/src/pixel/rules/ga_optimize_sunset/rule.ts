import { isPresent } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'ga_optimize_sunset',
    title: 'Google Optimize is still loaded',
    severity: 'warn',
    since: '2023-09-30',
    owner: 'theme',
    singleFile: true,
    what: 'The page loads `optimize.js`, loads an Optimize container with the `require` command of `analytics.js`, or contains the anti-flicker snippet.',
    why: 'Google Optimize shut down on September 30, 2023. The anti-flicker snippet alone can keep the page blank for up to four seconds.',
    fix: 'Delete the loader and the anti-flicker snippet.',
    messages: {
      loader: 'The page loads Google Optimize, which shut down on September 30, 2023.',
      anti_flicker: 'The Google Optimize anti-flicker snippet can keep the page blank.',
    },
    sources: ['https://support.google.com/analytics/answer/12979939'],
  },
  check(page, report) {
    const antiFlicker = page.observations.filter(s => s.kind === 'anti_flicker');
    const hasId = antiFlicker.some(s => s.id !== null);
    for (const at of page.observations) {
      if (!isPresent(at) || (at.kind === 'anti_flicker' && hasId && at.id === null)) continue;
      const loads = at.kind === 'loader' && at.library === 'optimize';
      if (!loads && at.kind !== 'anti_flicker') continue;
      const variant = loads ? 'loader' : 'anti_flicker';
      report({ at, message: variant, ids: at.id ? [at.id] : [], variant });
    }
  },
});
