import { consentMode } from '../../event-contracts/contracts.ts';
import { nearestNames } from '../../event-contracts/nearest-name.ts';
import { isPresent, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

const SIGNALS = [...consentMode.required, ...consentMode.other];
const KNOWN = [...SIGNALS, ...consentMode.settings];

export default defineRule({
  meta: {
    id: 'google_consent_invalid_parameter',
    title: 'Invalid consent mode parameter',
    severity: 'warn',
    since: null,
    owner: 'theme',
    singleFile: true,
    what: "A `gtag('consent')` call sets a signal to a value other than `granted` or `denied`, or misspells a parameter name, such as `ad_personalisation` instead of `ad_personalization`. The rule doesn’t check values that are computed at runtime.",
    why: "Google's tags ignore the parameter, so the signal keeps its previous state, if any.",
    fix: "Use the exact parameter names, and set each signal to `'granted'` or `'denied'`.",
    messages: {
      misspelled: `"{parameter}" isn't a consent mode parameter. Use "{meant}".`,
      invalid_value:
        'Consent mode ignores {parameter}, because its value is "{value}" instead of "granted" or "denied".',
    },
    sources: [consentMode.source],
  },
  check(page, report) {
    const nearestTo = nearestNames(KNOWN);
    for (const at of ofKind(page, 'consent')) {
      if (at.vendor !== 'google' || !isPresent(at)) continue;
      for (const [name, value] of Object.entries(at.settings)) {
        const shown = name.slice(0, 60);
        const meant = nearestTo(name);
        if (meant !== null)
          report({
            at,
            message: 'misspelled',
            values: { parameter: shown, meant },
            ids: [shown],
            variant: 'misspelled',
          });
        // `unknown` represents a value that the scan can't resolve.
        else if (SIGNALS.includes(name) && value !== 'unknown' && !consentMode.values.includes(value))
          report({
            at,
            message: 'invalid_value',
            values: { parameter: shown, value: value.slice(0, 40) },
            ids: [shown],
            variant: 'invalid_value',
          });
      }
    }
  },
});
