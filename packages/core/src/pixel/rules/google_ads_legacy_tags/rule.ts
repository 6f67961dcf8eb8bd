import type { TagObservation } from '../../model/observation.ts';
import { groupBy, isPresent } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

function variantOf(seen: TagObservation) {
  if (seen.kind === 'loader' && seen.library === 'conversion') return 'conversion_js';
  if (seen.kind === 'legacy' && seen.api === 'ads')
    return seen.detail === 'google_conversion_id' ? 'conversion_js' : 'google_tag_params';
  return seen.kind === 'beacon' && seen.api === 'viewthrough' && seen.placement !== 'script' ? 'viewthrough' : null;
}

export default defineRule({
  meta: {
    id: 'google_ads_legacy_tags',
    title: 'Legacy AdWords tag, superseded by the Google tag',
    severity: 'warn',
    since: null,
    owner: 'theme',
    singleFile: true,
    what: 'The page contains an AdWords tag. The variant is `conversion_js` for the conversion script or its account ID, `google_tag_params` for remarketing parameters, and `viewthrough` for the remarketing image.',
    why: 'Google replaced these tags with the Google tag, which supports consent signals and enhanced conversions.',
    fix: 'Send the conversion as a `gtag` event to `AW-…/label`, or use the Google & YouTube app.',
    fixHeadless: 'Send the conversion as a `gtag` event to `AW-…/label`.',
    messages: {
      conversion_js: 'The page uses the AdWords conversion tag (conversion.js), which was replaced by the Google tag.',
      google_tag_params:
        'The page uses AdWords remarketing parameters (google_tag_params), which were replaced by the Google tag.',
      viewthrough: 'The page uses the AdWords remarketing image, which was replaced by the Google tag.',
    },
    sources: ['https://developers.google.com/adwords-remarketing-tag'],
  },
  check(page, report) {
    for (const [variant, all] of groupBy(page.observations.filter(isPresent), variantOf)) {
      const ids = all.flatMap(s => (s.kind === 'legacy' && s.id ? [s.id] : []));
      report({ at: all[0]!, message: variant, ids, variant });
    }
  },
});
