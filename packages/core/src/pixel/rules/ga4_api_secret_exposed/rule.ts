import { ofKind } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'ga4_api_secret_exposed',
    title: 'A Measurement Protocol secret stands in the page',
    severity: 'error',
    since: null,
    owner: 'theme',
    what: 'Browser code sends to /mp/collect with an api_secret, or served data holds one that is no placeholder.',
    why: 'The secret is what the Measurement Protocol asks for. We conclude that anyone who reads the page can send events into the property.',
    fix: 'Delete the secret in the data stream, make a new one, and use it on a server only.',
    sources: ['https://support.google.com/analytics/answer/9814495'],
  },
  check(evidence, report) {
    for (const at of ofKind(evidence, 'secret')) {
      if (at.secret !== 'ga4_api_secret') continue;
      const owner = at.channel === 'app_pixel' ? 'app' : 'theme';
      report({
        at,
        message: `A Measurement Protocol secret (${at.shown}) can be read by everyone.`,
        ids: [at.shown],
        owner,
      });
    }
  },
});
