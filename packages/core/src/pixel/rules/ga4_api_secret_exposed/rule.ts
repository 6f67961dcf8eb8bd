import { ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'ga4_api_secret_exposed',
    title: 'Measurement Protocol API secret exposed on the page',
    severity: 'error',
    since: null,
    owner: 'theme',
    singleFile: true,
    what: "Browser code sends an `api_secret` to `/mp/collect`, or the page source contains an `api_secret` that isn't a placeholder.",
    why: 'The Measurement Protocol authenticates events with this secret, so anyone who can read the page can likely send events to the property.',
    fix: 'Delete the secret in the data stream settings, create a new secret, and use the new secret only on a server.',
    messages: {
      exposed: 'A Measurement Protocol API secret ({secret}) is visible to everyone.',
    },
    sources: ['https://support.google.com/analytics/answer/9814495'],
  },
  check(page, report) {
    for (const at of ofKind(page, 'secret')) {
      if (at.secret !== 'ga4_api_secret') continue;
      const owner = at.channel === 'app_pixel' ? 'app' : 'theme';
      report({
        at,
        message: 'exposed',
        values: { secret: at.shown },
        ids: [at.shown],
        owner,
      });
    }
  },
});
