import type { TagObservation } from '../../model/observation.ts';
import { groupBy, isPresent } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

const UNIVERSAL = /^UA-\d+-\d+$/;

/** Returns the ID that a Google tag, AMP tag, or event sends data to, or `null` for other observations. */
function destination(seen: TagObservation): string | null {
  if (seen.kind === 'init' && (seen.api === 'gtag' || seen.api === 'amp')) return seen.id.value;
  if (seen.kind === 'loader' && seen.library === 'gtag') return seen.id;
  return seen.kind === 'event' && seen.vendor === 'google' ? seen.target : null;
}

export default defineRule({
  meta: {
    id: 'ga_universal_id',
    title: 'Data sent to a Universal Analytics property',
    severity: 'error',
    since: '2023-07-01',
    owner: 'theme',
    singleFile: true,
    what: 'The Google tag, its loader, an event, or `<amp-analytics>` sends data to an ID that starts with `UA-`.',
    why: 'Universal Analytics stopped processing data on July 1, 2023 (July 1, 2024, for Universal Analytics 360).',
    fix: 'Connect the Google & YouTube app to a GA4 property, and then delete the tag.',
    fixHeadless: 'Replace the ID with a GA4 measurement ID.',
    messages: {
      sends_data:
        'Data is sent to Universal Analytics property {id}, but Universal Analytics no longer processes data.',
    },
    sources: ['https://support.google.com/analytics/answer/11583528'],
  },
  check(page, report) {
    const found = page.observations.filter(s => isPresent(s) && UNIVERSAL.test(destination(s) ?? ''));
    for (const [id, all] of groupBy(found, destination)) {
      report({
        at: all.find(s => s.kind === 'init') ?? all[0]!,
        message: 'sends_data',
        values: { id },
        ids: [id],
      });
    }
  },
});
