import { defineDriftRule } from '../../model/rule.ts';

export default defineDriftRule({
  meta: {
    id: 'drift_tag_added',
    title: 'New tag',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: "The page has a tag that the baseline doesn't include for any channel.",
    why: 'Someone added the tag, and you might not know where it sends data.',
    fix: 'Find out who added the tag. If you want to keep the tag, save a new baseline.',
    sources: ['Comparison with the saved baseline'],
  },
  compare(change, report) {
    for (const tag of change.added)
      report({ message: `${tag.vendor} ${tag.id} (${tag.channel}) is new`, ids: [tag.id!] });
  },
});
