import type { TagObservation } from '../../model/observation.ts';
import { groupBy, isLive } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

function property(seen: TagObservation): string | null {
  const id =
    seen.kind === 'init' && seen.vendor === 'google'
      ? seen.id.value
      : seen.kind === 'loader' && seen.library === 'gtag'
        ? seen.id
        : null;
  return id?.startsWith('G-') ? id : null;
}

export default defineRule({
  meta: {
    id: 'ga4_multiple_ids',
    title: 'Multiple GA4 properties on one page',
    severity: 'info',
    since: null,
    owner: 'theme',
    what: 'The page sends data to two or more GA4 properties (measurement IDs that start with `G-`). The IDs are set in the page code or the store preferences.',
    why: "Using multiple properties can be intentional. Often, however, one property is obsolete, and its reports don't match those of the other properties.",
    fix: "Remove the ID of any property that you don't need.",
    messages: {
      multiple: 'The page sends data to {count} GA4 properties: {ids}.',
    },
    sources: ['https://developers.google.com/tag-platform/gtagjs/reference'],
  },
  check(page, report) {
    const byId = groupBy(
      page.observations.filter(o => isLive(o) || o.channel === 'trekkie'),
      property,
    );
    const ids = [...byId.keys()];
    const second = byId.get(ids[1] ?? '')?.[0];
    if (second)
      report({
        at: second,
        message: 'multiple',
        values: { count: ids.length, ids: ids.slice(0, 10) },
        ids,
      });
  },
});
