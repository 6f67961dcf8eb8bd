import { defineDriftRule } from '../../model/rule.ts';
import { vendorName } from '../../model/vendor.ts';

export default defineDriftRule({
  meta: {
    id: 'drift_tag_added',
    title: 'New tag',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: "The page has a tag whose ID isn't in the baseline, regardless of how the tag is loaded.",
    why: "The tag might send data to an account that you don't control.",
    fix: 'Find out who added the tag. If you want to keep the tag, save a new baseline.',
    messages: {
      added: '{vendor} {id} ({channel}) is new ({from} → {to})',
    },
    sources: ['Comparison with the saved baseline'],
  },
  compare(change, report) {
    for (const { vendor, id, channel } of change.added)
      report({ message: 'added', values: { vendor: vendorName(vendor), id: id!, channel }, ids: [id!] });
  },
});
