import { areMutuallyExclusive, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'meta_pixel_consent_order',
    title: 'Consent revoked after the first pixel call',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: "When the page loads, `fbq('consent', 'revoke')` runs after the first `init` or `track` call. If Limited Data Use is set after the first call, the confidence is `possible`, because Meta doesn't document the required order.",
    why: "The pixel might send the first page view before consent is revoked. Meta's documentation places the `revoke` call before `init` on every page.",
    fix: "Call `fbq('consent', 'revoke')` before `init`, and call `fbq('consent', 'grant')` when the visitor consents.",
    messages: {
      revoke: 'Consent is revoked after the first pixel call.',
      ldu: 'Limited Data Use is set after the first pixel call.',
    },
    sources: [
      'https://developers.facebook.com/docs/meta-pixel/implementation/gdpr',
      'https://developers.facebook.com/docs/marketing-apis/data-processing-options',
    ],
  },
  check(page, report) {
    const first = page.observations.find(
      s =>
        s.state === 'run' && (s.kind === 'init' || s.kind === 'event') && s.vendor === 'meta' && s.channel === 'theme',
    );
    if (!first) return;
    const consents = ofKind(page, 'consent').filter(s => s.vendor === 'meta' && s.state === 'run');
    for (const command of ['revoke', 'ldu'] as const) {
      const all = consents.filter(s => s.command === command);
      const [at] = all;
      if (!at || at.order < first.order || areMutuallyExclusive(at, first)) continue;
      report({
        at,
        message: command,
        variant: command,
        confidence: command === 'ldu' ? 'possible' : at.confidence,
      });
    }
  },
});
