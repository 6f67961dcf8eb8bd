import { defineDriftRule } from '../../rule.ts';

export default defineDriftRule({
  meta: {
    id: 'drift_tag_added',
    title: 'A tag is new',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: 'A tag is on the page that the baseline does not have in any channel.',
    why: 'Someone added it; nobody may know where its data goes.',
    fix: 'Find out who added it, and save a new baseline if it is wanted.',
    sources: ['Comparison with the saved baseline'],
  },
  compare(change, report) {
    for (const tag of change.added)
      report({ message: `${tag.vendor} ${tag.id} (${tag.channel}) is new`, ids: [tag.id!] });
  },
});
