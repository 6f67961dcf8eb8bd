import type { Tag } from '../../model/inventory.ts';
import { term } from '../../model/message.ts';
import { defineDriftRule } from '../../model/rule.ts';
import { vendorName } from '../../model/vendor.ts';

const differences = (before: Tag, after: Tag) =>
  (['channel', 'state', 'position', 'loader_host'] as const).flatMap(key =>
    before[key] === after[key]
      ? []
      : [term(`${key}_changed`, { before: String(before[key]), after: String(after[key]) })],
  );

export default defineDriftRule({
  meta: {
    id: 'drift_tag_moved',
    title: 'Tag moved',
    severity: 'info',
    since: null,
    owner: 'theme',
    what: "A tag's channel, state, page position, or loader host changed. The finding is a warning if the tag now waits for consent or has moved from the head to the body.",
    why: 'Such a change can affect the numbers in your reports, even if the tag still works.',
    fix: 'If the change is intentional, save a new baseline. Otherwise, find out who changed the tag.',
    messages: {
      moved: '{vendor} {id}: {changes} ({from} → {to})',
    },
    sources: ['Comparison with the saved baseline'],
  },
  compare(change, report) {
    for (const { before, after } of change.moved) {
      const gated = before.state === 'run' && after.state === 'gated';
      const movedToBody = before.position === 'head' && after.position === 'body' && before.channel === after.channel;
      report({
        message: 'moved',
        values: { vendor: vendorName(before.vendor), id: before.id!, changes: differences(before, after) },
        ids: [before.id!],
        severity: gated || movedToBody ? 'warn' : 'info',
      });
    }
  },
});
