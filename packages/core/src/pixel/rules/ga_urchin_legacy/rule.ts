import { isPresent } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'ga_urchin_legacy',
    title: 'Tags of Urchin, the first Google Analytics',
    severity: 'error',
    since: '2023-07-01',
    owner: 'theme',
    what: 'The page loads urchin.js, sets `_uacct`, or calls `urchinTracker`, in scripts or in attributes such as onclick.',
    why: 'Universal Analytics, the last product that took these hits, stopped on 2023-07-01. Urchin tags are older still.',
    fix: 'Delete the tags and connect the Google & YouTube app.',
    fixHeadless: 'Delete the tags and load the Google tag in the storefront code.',
    sources: ['https://support.google.com/analytics/answer/11583528'],
  },
  check(evidence, report) {
    for (const at of evidence.sightings) {
      if (!isPresent(at)) continue;
      if (at.kind === 'loader' && at.library === 'urchin')
        report({ at, message: 'urchin.js is loaded; it counts nothing.' });
      if (at.kind === 'legacy' && at.api === 'urchin')
        report({ at, message: `${at.detail} is used; it counts nothing.`, ids: at.id ? [at.id] : [] });
    }
  },
});
