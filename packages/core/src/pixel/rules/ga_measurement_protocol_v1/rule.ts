import { ofKind } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'ga_measurement_protocol_v1',
    title: 'Hits are sent to Universal Analytics by hand',
    severity: 'error',
    since: '2023-07-01',
    owner: 'theme',
    what: 'Browser code or an image sends version 1 of the Measurement Protocol with an id of the form UA-….',
    why: 'The property no longer processes data.',
    fix: 'Use the Google tag; send server events with the Measurement Protocol of GA4.',
    sources: ['https://support.google.com/analytics/answer/11583528'],
  },
  check(evidence, report) {
    for (const at of ofKind(evidence, 'beacon')) {
      if (at.api !== 'collect_v1') continue;
      const id = at.params.tid ?? '';
      report({ at, message: `A hit is sent to ${id}, which no longer processes data.`, ids: [id] });
    }
  },
});
