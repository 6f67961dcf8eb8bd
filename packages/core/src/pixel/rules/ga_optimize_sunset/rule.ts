import { isPresent } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'ga_optimize_sunset',
    title: 'Google Optimize is still loaded',
    severity: 'warn',
    since: '2023-09-30',
    owner: 'theme',
    what: 'The page loads optimize.js, requires a container in analytics.js, or holds the anti-flicker snippet.',
    why: 'Optimize ended on 2023-09-30. The anti-flicker snippet alone keeps the page blank for up to four seconds.',
    fix: 'Delete the loader and the anti-flicker snippet.',
    sources: ['https://support.google.com/analytics/answer/12979939'],
  },
  check(evidence, report) {
    const hidden = evidence.sightings.filter(s => s.kind === 'anti_flicker');
    const named = hidden.some(s => s.id !== null);
    for (const at of evidence.sightings) {
      if (!isPresent(at) || (at.kind === 'anti_flicker' && named && at.id === null)) continue;
      const loads = at.kind === 'loader' && at.library === 'optimize';
      if (!loads && at.kind !== 'anti_flicker') continue;
      const variant = loads ? 'loader' : 'anti_flicker';
      const message = loads
        ? 'Google Optimize is loaded; it ended on 2023-09-30.'
        : 'The anti-flicker snippet of Google Optimize can keep the page blank.';
      report({ at, message, ids: at.id ? [at.id] : [], variant });
    }
  },
});
