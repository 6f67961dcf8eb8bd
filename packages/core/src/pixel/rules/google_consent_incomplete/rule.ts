import { consentMode } from '../../event-contracts/contracts.ts';
import { nearestName } from '../../event-contracts/nearest-name.ts';
import { isPresent, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

const NEEDED = consentMode.required;

export default defineRule({
  meta: {
    id: 'google_consent_incomplete',
    title: 'Consent default is incomplete or grants all signals',
    severity: 'warn',
    since: '2024-03',
    owner: 'theme',
    singleFile: true,
    what: "In the `v1` variant, the consent default is missing `ad_user_data`, `ad_personalization`, or both. In the `all_granted` variant, the consent default grants all four signals and doesn't specify a region. If the default never runs on the scanned page, for example because the server disables it with `if (false)`, the finding is a note.",
    why: 'Since March 2024, Google has required the signals `ad_user_data` and `ad_personalization` for visitors from the European Economic Area. If the default grants all consent signals in all regions, tags run before the visitor consents.',
    fix: 'Set all four consent signals, and deny them by default where consent is required.',
    messages: {
      missing_one: 'The consent default is missing {signal}.',
      missing_two: 'The consent default is missing {first} and {second}.',
      all_granted: 'The consent default grants all consent signals in all regions.',
    },
    sources: ['https://support.google.com/analytics/answer/13695607'],
  },
  check(page, report) {
    const all = ofKind(page, 'consent').filter(s => s.vendor === 'google' && s.command === 'default');
    const present = all.filter(isPresent);
    // A default that never runs here might run for other visitors, such as those in the European Economic Area.
    const defaults = present.length > 0 ? present : all.filter(s => s.state === 'never_runs');
    const note = present.length > 0 ? {} : ({ severity: 'info' } as const);
    const [at] = defaults;
    if (!at) return;
    const known = defaults.filter(s => s.resolved);
    if (known.length === 0) return;
    const settings = new Map(known.flatMap(s => Object.entries(s.settings)));
    // Another rule reports misspelled names.
    const misspelled = new Set([...settings.keys()].map(key => nearestName(key, NEEDED)));
    const missing = NEEDED.slice(2).filter(key => !settings.has(key) && !misspelled.has(key));
    const confidence = known.length < all.length || present.length === 0 ? 'possible' : at.confidence;
    const [first, second] = missing;
    if (first !== undefined) {
      report({
        at,
        ...(second === undefined
          ? { message: 'missing_one', values: { signal: first } }
          : { message: 'missing_two', values: { first, second } }),
        ids: missing,
        variant: 'v1',
        confidence,
        ...note,
      });
    } else if (NEEDED.every(key => settings.get(key) === 'granted') && !known.some(s => s.regional)) {
      report({
        at,
        message: 'all_granted',
        variant: 'all_granted',
        confidence,
        ...note,
      });
    }
  },
});
