import { isPresent } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'ga_urchin_legacy',
    title: 'Urchin tag (urchin.js)',
    severity: 'error',
    since: '2023-07-01',
    owner: 'theme',
    singleFile: true,
    what: 'The page loads `urchin.js`, sets `_uacct`, or calls `urchinTracker`. The code can be in a script or in an attribute such as `onclick`.',
    why: 'Urchin was the first Google Analytics tag. Universal Analytics, the last product that accepted Urchin hits, stopped processing data on July 1, 2023.',
    fix: 'Delete the tag and connect the Google & YouTube app.',
    fixHeadless: 'Delete the tag and load the Google tag in the storefront code.',
    messages: {
      loads: 'The page loads urchin.js, which no longer records any data.',
      uses: 'The page uses {api}, which no longer records any data.',
    },
    sources: ['https://support.google.com/analytics/answer/11583528'],
  },
  check(page, report) {
    for (const at of page.observations) {
      if (!isPresent(at)) continue;
      if (at.kind === 'loader' && at.library === 'urchin') report({ at, message: 'loads' });
      if (at.kind === 'legacy' && at.api === 'urchin')
        report({
          at,
          message: 'uses',
          values: { api: at.detail },
          ids: at.id ? [at.id] : [],
        });
    }
  },
});
