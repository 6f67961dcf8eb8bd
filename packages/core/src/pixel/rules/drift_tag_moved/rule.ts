import type { Tag } from '../../inventory/inventory.ts';
import { defineDriftRule } from '../../rule.ts';

const differences = (before: Tag, after: Tag): string[] =>
  (['channel', 'state', 'position', 'loader_host'] as const).flatMap(key =>
    before[key] === after[key] ? [] : [`${key.replace('_', ' ')} ${before[key]} became ${after[key]}`],
  );

export default defineDriftRule({
  meta: {
    id: 'drift_tag_moved',
    title: 'A tag runs from another place',
    severity: 'info',
    since: null,
    owner: 'theme',
    what: 'The same id is now in another channel, state, part of the page, or loaded from another host. A warning when it now waits for consent or left the head.',
    why: 'The figures shift without anything being wrong with the tag.',
    fix: 'Nothing, if it is meant. Save a new baseline.',
    sources: ['Comparison with the saved baseline'],
  },
  compare(change, report) {
    for (const { before, after } of change.moved) {
      const gated = before.state === 'run' && after.state === 'gated';
      const down = before.position === 'head' && after.position === 'body' && before.channel === after.channel;
      report({
        message: `${before.vendor} ${before.id}: ${differences(before, after).join(', ')}`,
        ids: [before.id!],
        severity: gated || down ? 'warn' : 'info',
      });
    }
  },
});
