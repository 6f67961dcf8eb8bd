import { groupBy, isLive } from '../../evidence/queries.ts';
import type { Sighting } from '../../evidence/sighting.ts';
import { defineRule } from '../../rule.ts';

function property(seen: Sighting): string | null {
  const id =
    seen.kind === 'init' && seen.api === 'gtag'
      ? seen.id.value
      : seen.kind === 'loader' && seen.library === 'gtag'
        ? seen.id
        : null;
  return id?.startsWith('G-') ? id : null;
}

export default defineRule({
  meta: {
    id: 'ga4_multiple_ids',
    title: 'Several GA4 properties are measured',
    severity: 'info',
    since: null,
    owner: 'theme',
    what: 'The code of the page sends to two or more ids of the form G-….',
    why: 'It may be meant. Often one property is forgotten, and figures are compared that never agree.',
    fix: 'Check that every property is wanted.',
    sources: ['https://developers.google.com/tag-platform/gtagjs/reference'],
  },
  check(evidence, report) {
    const byId = groupBy(evidence.sightings.filter(isLive), property);
    const ids = [...byId.keys()];
    const second = byId.get(ids[1] ?? '')?.[0];
    if (second)
      report({
        at: second,
        message: `The page sends to ${ids.length} GA4 properties: ${ids.slice(0, 10).join(', ')}.`,
        ids,
      });
  },
});
