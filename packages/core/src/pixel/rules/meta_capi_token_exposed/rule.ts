import { ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'meta_capi_token_exposed',
    title: 'Conversions API access token exposed on the page',
    severity: 'error',
    since: null,
    owner: 'theme',
    singleFile: true,
    what: 'The page contains a Meta access token, or its browser code calls `graph.facebook.com/…/events`, which requires an access token.',
    why: 'Anyone who can read the page can likely use the token to send events to the dataset.',
    fix: 'Revoke the token in Events Manager, and send server events from your own server or through the Facebook & Instagram app.',
    messages: {
      exposed: 'A Meta access token ({token}) is visible to everyone.',
      browser_call: 'The browser calls the Conversions API, which requires a secret access token.',
    },
    sources: ['https://developers.facebook.com/docs/marketing-api/conversions-api/get-started'],
  },
  check(page, report) {
    const tokens = ofKind(page, 'secret').filter(s => s.secret === 'meta_token');
    for (const at of tokens) report({ at, message: 'exposed', values: { token: at.shown }, ids: [at.shown] });
    if (tokens.length > 0) return;
    for (const at of ofKind(page, 'beacon')) {
      if (at.api === 'graph')
        report({
          at,
          message: 'browser_call',
          confidence: 'likely',
        });
    }
  },
});
