import { defineDriftRule } from '../../rule.ts';

const GRAVE = new Set(['meta_pixel', 'ga4', 'gtm_container']);

export default defineDriftRule({
  meta: {
    id: 'drift_tag_removed',
    title: 'A tag is gone',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: 'A tag of the baseline is in no channel any more. An error for Meta, GA4 and Tag Manager. Silent when the page was only partly seen.',
    why: 'Measuring stopped for that vendor.',
    fix: 'Put the tag back, or save a new baseline if it was removed on purpose.',
    sources: ['Comparison with the saved baseline'],
  },
  compare(change, report) {
    for (const tag of change.removed) {
      report({
        message: `${tag.vendor} ${tag.id} (${tag.channel}) is gone`,
        ids: [tag.id!],
        severity: GRAVE.has(tag.kind) ? 'error' : 'warn',
      });
    }
  },
});
