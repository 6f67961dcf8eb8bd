import { ofKind } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'meta_capi_token_exposed',
    title: 'A Conversions API token stands in the page',
    severity: 'error',
    since: null,
    owner: 'theme',
    what: 'The page holds a Meta access token, or its browser code calls graph.facebook.com/…/events, which needs one.',
    why: 'We conclude that anyone who reads the page can send events into the dataset.',
    fix: 'Revoke the token in Events Manager, and send server events from a server or the Facebook & Instagram app.',
    sources: ['https://developers.facebook.com/docs/marketing-api/conversions-api/get-started'],
  },
  check(evidence, report) {
    const tokens = ofKind(evidence, 'secret').filter(s => s.secret === 'meta_token');
    for (const at of tokens)
      report({ at, message: `A Meta access token (${at.shown}) can be read by everyone.`, ids: [at.shown] });
    if (tokens.length > 0) return;
    for (const at of ofKind(evidence, 'beacon')) {
      if (at.api === 'graph')
        report({
          at,
          message: 'The browser calls the Conversions API, which needs a secret token.',
          confidence: 'likely',
        });
    }
  },
});
