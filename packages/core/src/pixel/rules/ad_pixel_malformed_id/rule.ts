import type { AdPixel } from '../../ad-pixels/ad-pixel.ts';
import { AD_PIXELS, type AdVendor } from '../../ad-pixels/ad-pixels.ts';
import type { TagObservation } from '../../model/observation.ts';
import { isPresent } from '../../model/queries.ts';
import { defineRule, type Owner } from '../../model/rule.ts';
import { pixelName } from '../../model/vendor.ts';

/** Matches template syntax, setting names, and values that a template outputs if a setting is missing. */
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
function problemWith(value: string) {
  if (value === '') return 'empty';
  if (value.length > MAX_LENGTH) return 'too_long';
  if (isPlaceholder(value)) return 'placeholder';
  if (isGoogleId(value)) return 'google_id';
  return value.startsWith('pk_') ? 'private_key' : null;
}

/** Returns the value that's used as a pixel's ID in the observed code, with the ID's name and format. */
function idIn(
  at: TagObservation,
  { events, id }: AdPixel,
): (Pick<AdPixel['id'], 'noun' | 'format'> & { value: string }) | null {
  if (at.kind === 'event')
    return events?.kind === 'ids' && at.method === 'track' && at.name !== null
      ? { value: at.name, noun: events.noun, format: events }
      : null;
  const isInit = at.kind === 'init' && at.api !== 'amp';
  const value = isInit ? at.id.value : at.kind === 'loader' && at.library === 'ad_pixel' ? at.id : null;
  return value === null ? null : { value, ...id };
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
    what: "A TikTok, Pinterest, Klaviyo, Snapchat, Microsoft, X, Reddit, or LinkedIn pixel has an invalid ID, or sends a conversion with an invalid ID. The ID is empty or too long, is a placeholder, a Google ID, or a private key, or doesn't match the vendor's documented format.",
    why: "The vendor discards events that don't belong to an account.",
    fix: "Copy the ID from the vendor's ads manager or, if you don't use the pixel, delete its code.",
    messages: {
      empty: 'The {pixel} has an empty {noun}.',
      too_long: 'The {pixel} has the {noun} "{value}", which is too long.',
      placeholder: 'The {pixel} has the {noun} "{value}", which is a placeholder.',
      google_id: 'The {pixel} has the {noun} "{value}", which is a Google ID.',
      private_key: 'The {pixel} has the {noun} "{value}", which is a private key.',
      wrong_format: `The {pixel} has the {noun} "{value}", which isn't a valid {noun} (expected: {format}).`,
    },
    sources: [...new Set(AD_PIXELS.map(({ sources }) => sources.id.url))],
  },
  check(page, report) {
    const pixels = new Map<string, AdPixel<AdVendor>>(AD_PIXELS.map(pixel => [pixel.vendor, pixel]));
    const reported = new Set<string>();
    for (const at of page.observations) {
      if (at.kind !== 'init' && at.kind !== 'loader' && at.kind !== 'event') continue;
      const pixel = pixels.get(at.vendor);
      const found = pixel && isPresent(at) ? idIn(at, pixel) : null;
      if (!pixel || !found) continue;
      const { noun, format } = found;
      const problem = problemWith(found.value);
      const expected = format && !format.pattern.test(found.value) ? format.description : null;
      if (problem === null && expected === null) continue;
      // Show only a private key's prefix, which is enough to find the key in the code.
      const value = found.value.startsWith('pk_') ? 'pk_…' : found.value.slice(0, 60);
      const key = `${pixel.vendor} ${noun} ${value}`;
      if (reported.has(key)) continue;
      reported.add(key);
      const values = { pixel: pixelName(pixel.vendor), noun: { term: noun }, value };
      report({
        at,
        ...(problem === null
          ? { message: 'wrong_format', values: { ...values, format: { term: expected! } } }
          : { message: problem, values }),
        ids: value === '' ? [] : [value],
        owner: ownerOf(at),
        ...(at.confidence === 'possible' && { severity: 'info' }),
      });
    }
  },
});
