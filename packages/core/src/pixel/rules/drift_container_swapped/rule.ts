import { defineDriftRule } from '../../rule.ts';

export default defineDriftRule({
  meta: {
    id: 'drift_container_swapped',
    title: 'Another container starts',
    severity: 'error',
    since: null,
    owner: 'theme',
    what: 'A Tag Manager container went and another came.',
    why: 'Everything in the old container stopped, and the new one can do anything on the page.',
    fix: 'Check who owns the new container.',
    sources: ['Comparison with the saved baseline'],
  },
  compare(change, report) {
    if (!change.swapped) return;
    const { gone, come } = change.swapped;
    report({ message: `container ${gone.join(', ')} became ${come.join(', ')}`, ids: [...gone, ...come] });
  },
});
