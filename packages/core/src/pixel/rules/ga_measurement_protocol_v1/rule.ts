import { ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'ga_measurement_protocol_v1',
    title: 'Hits sent directly to Universal Analytics',
    severity: 'error',
    since: '2023-07-01',
    owner: 'theme',
    singleFile: true,
    what: 'Browser code or an image sends a Measurement Protocol version 1 hit to an ID that starts with `UA-`.',
    why: 'Universal Analytics properties no longer process data.',
    fix: 'Use the Google tag. For server events, use the GA4 Measurement Protocol.',
    messages: {
      sends_hit: 'The page sends a hit to {id}, which no longer processes data.',
    },
    sources: ['https://support.google.com/analytics/answer/11583528'],
  },
  check(page, report) {
    for (const at of ofKind(page, 'beacon')) {
      if (at.api !== 'collect_v1') continue;
      const id = at.params.tid ?? '';
      report({ at, message: 'sends_hit', values: { id }, ids: [id] });
    }
  },
});
