import { defineDriftRule } from '../../model/rule.ts';
import { vendorName } from '../../model/vendor.ts';

const ESSENTIAL = new Set(['meta_pixel', 'ga4', 'gtm_container']);

export default defineDriftRule({
  meta: {
    id: 'drift_tag_removed',
    title: 'Tag removed',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: "A tag in the baseline is no longer on the page. The finding is more severe for Meta, GA4, and Tag Manager tags. Removed tags aren't reported if the scan couldn't read the whole page.",
    why: 'The vendor no longer receives data from this page.',
    fix: 'Restore the tag, or save a new baseline if you removed it on purpose.',
    messages: {
      removed: '{vendor} {id} ({channel}) was removed ({from} → {to})',
    },
    sources: ['Comparison with the saved baseline'],
  },
  compare(change, report) {
    for (const tag of change.removed) {
      report({
        message: 'removed',
        values: { vendor: vendorName(tag.vendor), id: tag.id!, channel: tag.channel },
        ids: [tag.id!],
        severity: ESSENTIAL.has(tag.kind) ? 'error' : 'warn',
      });
    }
  },
});
