import { excludeEachOther, ofKind } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'meta_pixel_consent_order',
    title: 'Consent is revoked after the first event has left',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: '`fbq("consent", "revoke")` comes after the first init or track at load. Limited data use set that late is reported as possible, since Meta states no order for it.',
    why: 'The first page view is already sent. Meta asks for the call before init, on every page.',
    fix: "Call fbq('consent', 'revoke') before init, and grant in the listener of the consent banner.",
    sources: [
      'https://developers.facebook.com/docs/meta-pixel/implementation/gdpr',
      'https://developers.facebook.com/docs/marketing-apis/data-processing-options',
    ],
  },
  check(evidence, report) {
    const first = evidence.sightings.find(
      s =>
        s.state === 'run' && (s.kind === 'init' || s.kind === 'event') && s.vendor === 'meta' && s.channel === 'theme',
    );
    if (!first) return;
    const consents = ofKind(evidence, 'consent').filter(s => s.vendor === 'meta' && s.state === 'run');
    for (const command of ['revoke', 'ldu']) {
      const all = consents.filter(s => s.command === command);
      const [at] = all;
      if (!at || at.order < first.order || excludeEachOther(at, first)) continue;
      const what = command === 'ldu' ? 'Limited data use is set' : 'Consent is revoked';
      report({
        at,
        message: `${what} after the first event has left.`,
        variant: command,
        confidence: command === 'ldu' ? 'possible' : at.confidence,
      });
    }
  },
});
