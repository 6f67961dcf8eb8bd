import { isPresent, ofKind } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

const NEEDED = ['ad_storage', 'analytics_storage', 'ad_user_data', 'ad_personalization'];

export default defineRule({
  meta: {
    id: 'google_consent_incomplete',
    title: 'The consent default leaves something out',
    severity: 'warn',
    since: '2024-03',
    owner: 'theme',
    what: 'Two forms: `v1`, the default lacks ad_user_data or ad_personalization; `all_granted`, everything is granted and no region is named.',
    why: 'Google requires both new signals for visitors from the European Economic Area since March 2024. A default that grants everything everywhere asks for nothing.',
    fix: 'Set all four signals, and deny by default where consent is required.',
    sources: ['https://support.google.com/analytics/answer/13695607'],
  },
  check(evidence, report) {
    const defaults = ofKind(evidence, 'consent').filter(
      s => s.vendor === 'google' && s.command === 'default' && isPresent(s),
    );
    const [at] = defaults;
    if (!at) return;
    const known = defaults.filter(s => s.resolved);
    if (known.length === 0) return;
    const settings = new Map(known.flatMap(s => Object.entries(s.settings)));
    const lacking = NEEDED.slice(2).filter(key => !settings.has(key));
    const confidence = known.length < defaults.length ? 'possible' : at.confidence;
    if (lacking.length > 0) {
      report({
        at,
        message: `The consent default lacks ${lacking.join(' and ')}.`,
        ids: lacking,
        variant: 'v1',
        confidence,
      });
    } else if (NEEDED.every(key => settings.get(key) === 'granted') && !known.some(s => s.regional)) {
      report({ at, message: 'The consent default grants everything, everywhere.', variant: 'all_granted', confidence });
    }
  },
});
