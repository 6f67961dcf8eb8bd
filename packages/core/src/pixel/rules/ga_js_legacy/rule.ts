import { groupBy, isPresent, ofKind } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'ga_js_legacy',
    title: 'Tags of ga.js, the second Google Analytics',
    severity: 'error',
    since: '2023-07-01',
    owner: 'theme',
    what: 'The page loads ga.js or dc.js, sets an account on `_gaq`, or asks `_gat` for a tracker. Calls guarded by a test for `_gaq`, left in a helper, are an info.',
    why: 'Its properties stopped processing data on 2023-07-01.',
    fix: 'Delete the tags and connect the Google & YouTube app.',
    fixHeadless: 'Delete the tags and load the Google tag in the storefront code.',
    sources: ['https://support.google.com/analytics/answer/11583528'],
  },
  check(evidence, report) {
    const mitigated = ofKind(evidence, 'init').some(
      s => s.api === 'gtag' && isPresent(s) && !s.id.value?.startsWith('UA-'),
    );
    const calls = ofKind(evidence, 'legacy').filter(s => s.api === 'ga' && isPresent(s));
    const accounts = calls.filter(s => s.detail === 'account' && s.id !== null);
    for (const [id, all] of groupBy(accounts, s => s.id)) {
      report({
        at: all[0]!,
        message: `ga.js is set up for ${id}, which no longer processes data.`,
        ids: [id],
        mitigated,
      });
    }
    if (accounts.length > 0) return;
    const loader = ofKind(evidence, 'loader').find(s => s.library === 'ga' && isPresent(s));
    const open = calls.find(s => s.detail !== 'guarded');
    const at = loader ?? open;
    if (at) report({ at, message: 'ga.js is used; its properties no longer process data.', mitigated });
    else if (calls[0])
      report({ at: calls[0], message: 'A helper still knows ga.js, behind a test for it.', severity: 'info' });
  },
});
