import { isPresent } from '../../evidence/queries.ts';
import type { Sighting } from '../../evidence/sighting.ts';
import { defineRule } from '../../rule.ts';

const PLACEHOLDER =
  /^(?:G|GT|GTM|AW|UA|DC)-(?:X+|0+|Y+)(?:-[XY0-9]+)?$|CONVERSION_ID|MEASUREMENT_ID|TRACKING_ID|CONTAINER_ID|TAG_ID|YOUR[_-]|\{\{|\}\}|^G-12345/i;

function destination(seen: Sighting): string | null {
  if (seen.kind === 'init' && seen.vendor === 'google') return seen.id.value;
  return seen.kind === 'loader' && (seen.library === 'gtag' || seen.library === 'gtm') ? seen.id : null;
}

export default defineRule({
  meta: {
    id: 'google_placeholder_id',
    title: 'A Google tag still has the id of its example',
    severity: 'error',
    since: null,
    owner: 'theme',
    what: 'The id of a live Google tag is a placeholder such as G-XXXXXXXXXX or a template tag nobody filled in.',
    why: 'The tag loads and measures nothing.',
    fix: 'Put in the real id, or delete the tag.',
    sources: ['https://developers.google.com/tag-platform/gtagjs'],
  },
  check(evidence, report) {
    const told = new Set<string>();
    for (const at of evidence.sightings) {
      const id = destination(at)?.slice(0, 60);
      if (id === undefined || told.has(id) || !PLACEHOLDER.test(id) || !isPresent(at)) continue;
      told.add(id);
      report({ at, message: `"${id}" is a placeholder.`, ids: [id] });
    }
  },
});
