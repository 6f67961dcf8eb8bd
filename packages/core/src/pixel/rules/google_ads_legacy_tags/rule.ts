import { groupBy, isPresent } from '../../evidence/queries.ts';
import type { Sighting } from '../../evidence/sighting.ts';
import { defineRule } from '../../rule.ts';

function variantOf(seen: Sighting): string | null {
  if (seen.kind === 'loader' && seen.library === 'conversion') return 'conversion_js';
  if (seen.kind === 'legacy' && seen.api === 'ads')
    return seen.detail === 'google_conversion_id' ? 'conversion_js' : 'google_tag_params';
  return seen.kind === 'beacon' && seen.api === 'viewthrough' && seen.placement !== 'script' ? 'viewthrough' : null;
}

const NAMES: Readonly<Record<string, string>> = {
  conversion_js: 'The conversion tag of AdWords (conversion.js)',
  google_tag_params: 'The remarketing parameters of AdWords (google_tag_params)',
  viewthrough: 'The remarketing image of AdWords',
};

export default defineRule({
  meta: {
    id: 'google_ads_legacy_tags',
    title: 'Tags of AdWords that the Google tag has replaced',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: 'Three forms: `conversion_js`, the conversion script or its account; `google_tag_params`, the remarketing parameters; `viewthrough`, the remarketing image.',
    why: 'Google has replaced them by the Google tag, which knows consent signals and enhanced conversions.',
    fix: 'Send the conversion as a gtag event to AW-…/label, or through the Google & YouTube app.',
    fixHeadless: 'Send the conversion as a gtag event to AW-…/label.',
    sources: ['https://developers.google.com/adwords-remarketing-tag'],
  },
  check(evidence, report) {
    for (const [variant, all] of groupBy(evidence.sightings.filter(isPresent), variantOf)) {
      const ids = all.flatMap(s => (s.kind === 'legacy' && s.id ? [s.id] : []));
      report({ at: all[0]!, message: `${NAMES[variant]} is replaced by the Google tag.`, ids, variant });
    }
  },
});
