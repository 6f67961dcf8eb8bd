import type { ReportedMessage } from '../../model/message.ts';
import { isPresent, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

const messages = {
  empty: 'The Meta pixel ID is empty.',
  placeholder: 'Meta pixel ID "{id}" is a placeholder.',
  not_a_number: 'Meta pixel ID "{id}" isn\'t numeric.',
  wrong_length: 'Meta pixel ID "{id}" has an invalid number of digits ({count}).',
  too_short: 'Meta pixel ID "{id}" has only {count} digits.',
  rounded:
    'Meta pixel ID "{id}" is written as a number instead of a string. JavaScript rounds the number, so the browser sends a different ID.',
} as const;

/**
 * Returns the problem with an ID, or `null` if the ID looks valid. Observed IDs have 14 to 17 digits; Meta doesn't
 * document a length.
 */
function problemWith(value: string): ReportedMessage<typeof messages> | null {
  const values = { id: value.slice(0, 40) };
  if (value === '') return { message: 'empty' };
  if (/\{[{%]|[}%]\}|your|pixel_?id|<|^x+$/i.test(value)) return { message: 'placeholder', values };
  if (!/^\d+$/.test(value)) return { message: 'not_a_number', values };
  if (/^0+$/.test(value) || /^1234567890?/.test(value)) return { message: 'placeholder', values };
  const counted = { ...values, count: value.length };
  if (value.length < 10 || value.length > 17) return { message: 'wrong_length', values: counted };
  return value.length < 14 ? { message: 'too_short', values: counted } : null;
}

export default defineRule({
  meta: {
    id: 'meta_pixel_invalid_id',
    title: 'Invalid Meta pixel ID',
    severity: 'error',
    since: null,
    owner: 'theme',
    singleFile: true,
    what: "The pixel ID in the code, the store preferences, or an app isn't valid. The ID is empty, a placeholder, not numeric, too short, too long, or written as a number that JavaScript rounds.",
    why: "Events sent with an invalid ID don't reach any dataset. Real IDs usually have 14 to 17 digits.",
    fix: 'Copy the ID from Events Manager, and put it in quotation marks.',
    messages,
    sources: ["Observed in practice. Meta doesn't document the ID length."],
  },
  check(page, report) {
    for (const at of ofKind(page, 'init')) {
      const { value, rounded } = at.id;
      const checked = at.vendor === 'meta' && (at.api === 'fbq' || at.api === 'preferences' || at.api === 'web_pixel');
      if (!checked || value === null || !isPresent(at)) continue;
      const id = value.slice(0, 40);
      const problem = rounded ? ({ message: 'rounded', values: { id } } as const) : problemWith(value);
      if (!problem) continue;
      const owner = at.api === 'preferences' ? 'shopify_admin' : at.api === 'web_pixel' ? 'app' : 'theme';
      report({
        at,
        ...problem,
        ids: [id],
        severity: problem.message === 'too_short' ? 'warn' : 'error',
        owner,
      });
    }
  },
});
