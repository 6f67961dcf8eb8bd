import { defineDriftRule } from '../../rule.ts';

const PLACEHOLDER = /X{4}|^0+$|^1234567|YOUR|_ID|\{\{/i;

export default defineDriftRule({
  meta: {
    id: 'drift_id_changed',
    title: 'A tag has another id',
    severity: 'error',
    since: null,
    owner: 'theme',
    what: 'In one channel one id took the place of another of the same vendor and kind. An info when the old one was a placeholder.',
    why: "The data now goes to another account: a typing mistake, an agency's account, or worse.",
    fix: 'Check whose id it is.',
    sources: ['Comparison with the saved baseline'],
  },
  compare(change, report) {
    for (const { before, after } of change.replaced) {
      const severity = PLACEHOLDER.test(before.id!) ? 'info' : 'error';
      report({
        message: `${before.vendor} (${before.channel}): ${before.id} became ${after.id}`,
        ids: [before.id!, after.id!],
        severity,
      });
    }
  },
});
