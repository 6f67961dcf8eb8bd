import { isPresent, ofKind } from '../../evidence/queries.ts';
import { defineRule, type Severity } from '../../rule.ts';

/** What is wrong with an id, or `null`. That ids have 14 to 17 digits is what one sees, not a rule Meta states. */
function fault(value: string): { severity: Severity; text: string } | null {
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
    title: 'A Meta pixel id that cannot be one',
    severity: 'error',
    since: null,
    owner: 'theme',
    what: 'The id in the code, the preferences or an app is empty, a placeholder, not a number, of an implausible length, or a number JavaScript rounds.',
    why: 'Events go to no dataset. Ids seen in practice have 14 to 17 digits.',
    fix: 'Copy the id from Events Manager, in quotes.',
    sources: ['Practice; Meta does not state the length'],
  },
  check(evidence, report) {
    for (const at of ofKind(evidence, 'init')) {
      const { value, rounded } = at.id;
      const real = at.vendor === 'meta' && (at.api === 'fbq' || at.api === 'preferences' || at.api === 'web_pixel');
      if (!real || value === null || !isPresent(at)) continue;
      const wrong = rounded
        ? { severity: 'error' as const, text: 'is a number too large for JavaScript, which sends another' }
        : fault(value);
      if (!wrong) continue;
      const owner = at.api === 'preferences' ? 'shopify_admin' : at.api === 'web_pixel' ? 'app' : 'theme';
      report({
        at,
        message: `Meta pixel id "${value.slice(0, 40)}" ${wrong.text}.`,
        ids: [value.slice(0, 40)],
        severity: wrong.severity,
        owner,
      });
    }
  },
});
