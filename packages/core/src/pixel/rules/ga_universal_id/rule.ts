import { groupBy, isPresent } from '../../evidence/queries.ts';
import type { Sighting } from '../../evidence/sighting.ts';
import { defineRule } from '../../rule.ts';

const UNIVERSAL = /^UA-\d+-\d+$/;

/** The Universal Analytics id a sighting sends to through the Google tag or AMP. */
function destination(seen: Sighting): string | null {
  if (seen.kind === 'init' && (seen.api === 'gtag' || seen.api === 'amp')) return seen.id.value;
  if (seen.kind === 'loader' && seen.library === 'gtag') return seen.id;
  return seen.kind === 'event' && seen.vendor === 'google' ? seen.target : null;
}

export default defineRule({
  meta: {
    id: 'ga_universal_id',
    title: 'The Google tag sends to a Universal Analytics property',
    severity: 'error',
    since: '2023-07-01',
    owner: 'theme',
    what: 'An id of the form UA-… is the destination of gtag, of its loader, of an event or of amp-analytics.',
    why: 'Universal Analytics stopped processing data on 2023-07-01, for 360 customers on 2024-07-01.',
    fix: 'Connect the Google & YouTube app with a GA4 property, then delete the tag.',
    fixHeadless: 'Replace the id by that of a GA4 property.',
    sources: ['https://support.google.com/analytics/answer/11583528'],
  },
  check(evidence, report) {
    const found = evidence.sightings.filter(s => isPresent(s) && UNIVERSAL.test(destination(s) ?? ''));
    for (const [id, all] of groupBy(found, destination)) {
      report({
        at: all.find(s => s.kind === 'init') ?? all[0]!,
        message: `The Google tag sends to ${id}, which no longer processes data.`,
        ids: [id],
      });
    }
  },
});
