import type { TagObservation } from '../../model/observation.ts';
import { isPresent } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

const PLACEHOLDER =
  /^(?:G|GT|GTM|AW|UA|DC)-(?:X+|0+|Y+)(?:-[XY0-9]+)?$|CONVERSION_ID|MEASUREMENT_ID|TRACKING_ID|CONTAINER_ID|TAG_ID|YOUR[_-]|\{\{|\}\}|^G-12345/i;

/** Google Ads ID that Shopify itself writes to pages, alongside the shop's own IDs. */
const WRITTEN_BY_SHOPIFY = 'AW-0';

function destination(seen: TagObservation): string | null {
  if (seen.kind === 'init' && seen.vendor === 'google') return seen.id.value;
  return seen.kind === 'loader' && (seen.library === 'gtag' || seen.library === 'gtm') ? seen.id : null;
}

export default defineRule({
  meta: {
    id: 'google_placeholder_id',
    title: 'Google tag with a placeholder ID',
    severity: 'error',
    since: null,
    owner: 'theme',
    singleFile: true,
    what: "The ID of a live Google tag is a placeholder, such as `G-XXXXXXXXXX`, or a template variable that wasn't filled in.",
    why: "The tag loads but doesn't collect any data.",
    fix: 'Enter the real ID, or delete the tag.',
    messages: {
      placeholder: 'The ID "{id}" is a placeholder.',
    },
    sources: ['https://developers.google.com/tag-platform/gtagjs'],
  },
  check(page, report) {
    const reported = new Set<string>();
    for (const at of page.observations) {
      const id = destination(at)?.slice(0, 60);
      if (id === WRITTEN_BY_SHOPIFY) continue;
      if (id === undefined || reported.has(id) || !PLACEHOLDER.test(id) || !isPresent(at)) continue;
      reported.add(id);
      report({ at, message: 'placeholder', values: { id }, ids: [id] });
    }
  },
});
