import { isPresent, ofKind } from '../../model/queries.ts';
import { defineRule, type Severity } from '../../model/rule.ts';

/**
 * Returns the problem with an ID, or `null` if the ID looks valid. Observed IDs have 14 to 17 digits; Meta doesn't
 * document a length.
 */
function problemWith(value: string): { severity: Severity; text: string } | null {
  if (value === '') return { severity: 'error', text: 'is empty' };
  if (/\{[{%]|[}%]\}|your|pixel_?id|<|^x+$/i.test(value)) return { severity: 'error', text: 'is a placeholder' };
  if (!/^\d+$/.test(value)) return { severity: 'error', text: 'is not a number' };
  if (/^0+$/.test(value) || /^1234567890?/.test(value)) return { severity: 'error', text: 'is a placeholder' };
  if (value.length < 10 || value.length > 17) return { severity: 'error', text: `has ${value.length} digits` };
  return value.length < 14 ? { severity: 'warn', text: `has only ${value.length} digits` } : null;
}

export default defineRule({
  meta: {
    id: 'meta_pixel_invalid_id',
    title: 'Invalid Meta pixel ID',
    severity: 'error',
    since: null,
    owner: 'theme',
    singleFile: true,
    what: "The pixel ID in the code, the store preferences, or an app isn't valid. The ID is empty, a placeholder, not a number, too short, too long, or a number that JavaScript rounds.",
    why: "Events sent with an invalid ID don't reach any dataset. Real IDs usually have 14 to 17 digits.",
    fix: 'Copy the ID from Events Manager, and put it in quotation marks.',
    sources: ["Observed in practice. Meta doesn't document the ID length."],
  },
  check(page, report) {
    for (const at of ofKind(page, 'init')) {
      const { value, rounded } = at.id;
      const checked = at.vendor === 'meta' && (at.api === 'fbq' || at.api === 'preferences' || at.api === 'web_pixel');
      if (!checked || value === null || !isPresent(at)) continue;
      const problem = rounded
        ? {
            severity: 'error' as const,
            text: 'is a number that JavaScript rounds, so the browser sends a different ID',
          }
        : problemWith(value);
      if (!problem) continue;
      const owner = at.api === 'preferences' ? 'shopify_admin' : at.api === 'web_pixel' ? 'app' : 'theme';
      report({
        at,
        message: `Meta pixel ID "${value.slice(0, 40)}" ${problem.text}.`,
        ids: [value.slice(0, 40)],
        severity: problem.severity,
        owner,
      });
    }
  },
});
