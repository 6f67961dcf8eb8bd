import { readNativeAddress } from './native-address.ts';
import type { Address } from './parts.ts';
import { splitCountry } from './places.ts';
import { readUsAddress } from './us-address.ts';
import { hasWesternFormat, readWesternAddress } from './western-address.ts';

/**
 * The parts of an address found in the text. `country` is an ISO 3166-1 alpha-2 code, or null if neither the text nor
 * the caller names the country.
 */
export interface AddressParts {
  readonly hasCity: boolean;
  readonly hasState: boolean;
  readonly country: string | null;
}

/**
 * Returns whether addresses in a country include a state or province. Some countries don't have states or provinces,
 * and in others, addresses omit them.
 *
 * @example needsState('DE') // false
 */
export function needsState(country: string | null): boolean {
  return ['US', 'CA', 'CN', 'AU', 'IN', 'MX', 'BR'].includes(country ?? '');
}

/**
 * Parses an address in the United States, China, Taiwan, Japan, Korea, Germany, Vietnam, India, or Mexico. Returns null
 * for other addresses.
 *
 * @param country the country from a separate address field, or null
 * @example readAddress('88 Keyuan Road, Shenzhen, Guangdong 518057, China', null)?.city // 'Shenzhen'
 */
export function readAddress(text: string, country: string | null): Address | null {
  return readCommaSeparated(separateWithCommas(text), country);
}

/** Replaces line breaks and other separators with commas, and removes punctuation at the end. */
const separateWithCommas = (text: string) =>
  text
    .replace(/[\n\r;；|•·]+|\s[/–-]\s(?!\d)/g, ', ')
    .replace(/\s+/g, ' ')
    .replace(/[\s,.]+$/, '')
    .trim();

function readCommaSeparated(text: string, country: string | null): Address | null {
  const native = readNativeAddress(text, country);
  if (native) return native;
  if (country === null || country === 'US') {
    const american = readUsAddress(text);
    if (american) {
      const { street, city, state, zip } = american;
      return { street, city, state, postalCode: zip, country: 'US' };
    }
  }
  const { rest, country: named } = splitCountry(text);
  const where = country ?? named;
  return hasWesternFormat(where) ? readWesternAddress(named === where ? rest : text, where) : null;
}

/**
 * Determines which parts of an address the text contains.
 *
 * @param country the country from a separate address field, or null
 * @example addressParts('410 Alder Street, Portland, OR 97205', null) // { hasCity: true, hasState: true, country: 'US' }
 */
export function addressParts(text: string, country: string | null): AddressParts {
  const read = readAddress(text, country);
  const { rest, country: named } = splitCountry(separateWithCommas(text));
  const where = read?.country ?? country ?? named;
  // Outside the United States, text with enough parts counts as having a city and a state, because the parsers don't
  // recognize every city and state. The parsers recognize every U.S. state.
  const parts = where === 'US' ? 0 : rest.split(/[,，、]/u).filter(part => part.trim() !== '').length;
  const isStateless = read && where === null ? read.city !== '' : !needsState(where);
  return {
    hasCity: (read?.city ?? '') !== '' || parts >= 2 || (where === 'US' && !read && rest.includes(',')),
    hasState: (read?.state ?? '') !== '' || isStateless || parts >= 3,
    country: where,
  };
}
