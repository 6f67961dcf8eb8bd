import { groupBy, isPresent, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'ga_js_legacy',
    title: 'Legacy Google Analytics tag (ga.js)',
    severity: 'error',
    since: '2023-07-01',
    owner: 'theme',
    singleFile: true,
    what: 'The page loads `ga.js` or `dc.js`, sets an account on `_gaq`, gets a tracker from `_gat`, or calls other library functions. If the page only calls these other functions, and always checks first that `_gaq` or `_gat` exists, the finding is a note.',
    why: '`ga.js` sends data to Universal Analytics properties, which stopped processing data on July 1, 2023.',
    fix: 'Delete the tag and connect the Google & YouTube app.',
    fixHeadless: 'Delete the tag and load the Google tag in the storefront code.',
    messages: {
      sends_data: 'ga.js sends data to {id}, but Universal Analytics no longer processes data.',
      used: 'The page uses ga.js. Universal Analytics no longer processes data.',
      guarded_calls: 'Code still calls ga.js functions, but only if the library is loaded.',
    },
    sources: ['https://support.google.com/analytics/answer/11583528'],
  },
  check(page, report) {
    const mitigated = ofKind(page, 'init').some(
      s => s.api === 'gtag' && isPresent(s) && !s.id.value?.startsWith('UA-'),
    );
    const calls = ofKind(page, 'legacy').filter(s => s.api === 'ga' && isPresent(s));
    const accounts = calls.filter(s => s.detail === 'account' && s.id !== null);
    for (const [id, all] of groupBy(accounts, s => s.id)) {
      report({
        at: all[0]!,
        message: 'sends_data',
        values: { id },
        ids: [id],
        mitigated,
      });
    }
    if (accounts.length > 0) return;
    const loader = ofKind(page, 'loader').find(s => s.library === 'ga' && isPresent(s));
    const unguarded = calls.find(s => s.detail !== 'guarded');
    const at = loader ?? unguarded;
    if (at) report({ at, message: 'used', mitigated });
    else if (calls[0])
      report({
        at: calls[0],
        message: 'guarded_calls',
        severity: 'info',
      });
  },
});
