import { defineDriftRule } from '../../model/rule.ts';

export default defineDriftRule({
  meta: {
    id: 'drift_container_swapped',
    title: 'Tag Manager container replaced',
    severity: 'error',
    since: null,
    owner: 'theme',
    what: 'A Tag Manager container was removed, and a different one was added.',
    why: 'The tags in the old container no longer run, and the new container can run any code on the page.',
    fix: 'Find out who owns the new container.',
    messages: {
      swapped: 'Tag Manager container {removed} was replaced with {added} ({from} → {to})',
    },
    sources: ['Comparison with the saved baseline'],
  },
  compare(change, report) {
    if (!change.swapped) return;
    const { removed, added } = change.swapped;
    report({
      message: 'swapped',
      values: { removed, added },
      ids: [...removed, ...added],
    });
  },
});
