import { defineDriftRule } from '../../model/rule.ts';
import { vendorName } from '../../model/vendor.ts';

const PLACEHOLDER = /X{4}|^0+$|^1234567|YOUR|_ID|\{\{/i;

export default defineDriftRule({
  meta: {
    id: 'drift_id_changed',
    title: 'Tag ID changed',
    severity: 'error',
    since: null,
    owner: 'theme',
    what: 'A tag ID was replaced with another ID for the same vendor, tag type, and channel. The finding is a note if the old ID was a placeholder.',
    why: "The tag now sends data to a different account. Possible causes include a typo, a switch to an agency's account, and tampering.",
    fix: 'Find out which account owns the new ID. If you changed the ID on purpose, save a new baseline. Otherwise, restore the old ID.',
    messages: {
      changed: '{vendor} ({channel}): {before} changed to {after} ({from} → {to})',
    },
    sources: ['Comparison with the saved baseline'],
  },
  compare(change, report) {
    for (const { before, after } of change.replaced) {
      const severity = PLACEHOLDER.test(before.id!) ? 'info' : 'error';
      report({
        message: 'changed',
        values: { vendor: vendorName(before.vendor), channel: before.channel, before: before.id!, after: after.id! },
        ids: [before.id!, after.id!],
        severity,
      });
    }
  },
});
