import type { AdPixel } from '../../ad-pixels/ad-pixel.ts';
import { AD_PIXELS } from '../../ad-pixels/ad-pixels.ts';
import type { TagObservation } from '../../model/observation.ts';
import { isPresent } from '../../model/queries.ts';
import { defineRule, type Owner } from '../../model/rule.ts';

/** Matches template syntax, setting names, and values that a template prints if a setting is missing. */
const PLACEHOLDER =
  /\{[{%]|[%}]\}|\$\{|[<>]|__|(?:^|[_ -])(?:your|my|insert|replace|enter|placeholder|example)(?:[_ -]|$)|(?:pixel|tag|partner|company|account|conversion|event)[_ -]?(?:id|code)|api[_ -]?key|x{5}|^(?:x+|undefined|null|none|nan|false|true|abc123)$/i;
/** Maximum length of an ID. Real IDs and placeholders are much shorter. */
const MAX_LENGTH = 200;
const SEQUENCE = '1234567890'.repeat(2);

const isPlaceholder = (value: string): boolean => {
  const digits = value.replaceAll('-', '');
  return (
    PLACEHOLDER.test(value) ||
    /^0+$/.test(digits) ||
    (value.length >= 5 && SEQUENCE.startsWith(value)) ||
    /^12345678-1234-/.test(value)
  );
};

const isGoogleId = (value: string): boolean => /^(?:G|GT|GTM|AW|UA|DC|OPT)-[A-Z0-9-]+$/i.test(value);

/** Returns the problem with a value, or `null` if the value might be an ID. */
function problemWith(
  value: string,
  noun: string,
  format: { pattern: RegExp; description: string } | null,
): string | null {
  if (value === '') return 'is empty';
  if (value.length > MAX_LENGTH) return 'is too long';
  if (isPlaceholder(value)) return 'is a placeholder';
  if (isGoogleId(value)) return 'is a Google ID';
  if (value.startsWith('pk_')) return 'is a private key';
  return format && !format.pattern.test(value) ? `isn't a valid ${noun} (expected: ${format.description})` : null;
}

/** Returns the value that an observation passes to a pixel as its ID, with the ID's name and format. */
function idIn(
  at: TagObservation,
  { events, id }: AdPixel,
): { value: string; noun: string; problem: string | null } | null {
  if (at.kind === 'event') {
    if (events?.kind !== 'ids' || at.method !== 'track' || at.name === null) return null;
    return { value: at.name, noun: events.noun, problem: problemWith(at.name, events.noun, events) };
  }
  const isInit = at.kind === 'init' && at.api !== 'amp';
  const value = isInit ? at.id.value : at.kind === 'loader' && at.library === 'ad_pixel' ? at.id : null;
  return value === null ? null : { value, noun: id.noun, problem: problemWith(value, id.noun, id.format) };
}

const ownerOf = (at: TagObservation): Owner =>
  at.kind === 'init' && at.api === 'web_pixel'
    ? 'app'
    : at.kind === 'init' && at.api === 'preferences'
      ? 'shopify_admin'
      : 'theme';

export default defineRule({
  meta: {
    id: 'ad_pixel_malformed_id',
    title: 'Ad pixel with an invalid ID',
    severity: 'warn',
    since: null,
    owner: 'theme',
    singleFile: true,
    what: "A TikTok, Pinterest, Klaviyo, Snapchat, Microsoft, X, Reddit, or LinkedIn pixel has an invalid ID, or sends a conversion with an invalid ID. The ID is empty, a placeholder, or a Google ID, or doesn't match the vendor's documented format.",
    why: "The vendor discards the events, because they don't belong to an account.",
    fix: "Copy the ID from the vendor's ads manager, or delete the code if you don't use it.",
    sources: [...new Set(AD_PIXELS.map(({ sources }) => sources.id.url))],
  },
  check(page, report) {
    const pixels = new Map<string, AdPixel>(AD_PIXELS.map(pixel => [pixel.vendor, pixel]));
    const reported = new Set<string>();
    for (const at of page.observations) {
      if (at.kind !== 'init' && at.kind !== 'loader' && at.kind !== 'event') continue;
      const pixel = pixels.get(at.vendor);
      const found = pixel && isPresent(at) ? idIn(at, pixel) : null;
      if (!pixel || !found?.problem) continue;
      const { noun, problem } = found;
      // Show only the prefix of a private key, which is enough to find the key in the code.
      const value = found.value.startsWith('pk_') ? 'pk_…' : found.value.slice(0, 60);
      const key = `${pixel.vendor} ${noun} ${value}`;
      if (reported.has(key)) continue;
      reported.add(key);
      report({
        at,
        message: `The ${pixel.name} has the ${noun} "${value}", which ${problem}.`,
        ids: value === '' ? [] : [value],
        owner: ownerOf(at),
        ...(at.confidence === 'possible' && { severity: 'info' }),
      });
    }
  },
});
