import { countryOf, STATES } from './places.ts';

/** Which parts of an address a text contains. `country` is an ISO 3166-1 alpha-2 code, or null if it isn't named. */
export interface AddressParts {
  readonly hasCity: boolean;
  readonly hasState: boolean;
  readonly country: string | null;
}

/**
 * Returns whether addresses in a country name a state or province. Other countries have none, or their addresses leave it out.
 *
 * @example needsState('DE') // false
 */
export function needsState(country: string | null): boolean {
  return ['US', 'CA', 'CN', 'AU', 'IN', 'MX', 'BR'].includes(country ?? '');
}

/**
 * Returns which parts of an address a text contains.
 *
 * @param country the country if the address states it elsewhere
 * @example addressParts('410 Alder Street, Portland, OR 97205', null) // { hasCity: true, hasState: true, country: 'US' }
 */
export function addressParts(text: string, country: string | null): AddressParts {
  const native = nativeParts(text);
  if (native) return { ...native, country: country ?? native.country };
  if (country === null || country === 'US') {
    const american = readUsAddress(text);
    if (american) return { hasCity: american.city !== '', hasState: true, country: 'US' };
  }
  const named = countryOf(text);
  const where = country ?? named;
  const parts = text.split(/[,;\n，、；]/u).filter(part => part.trim() !== '').length - (named === null ? 0 : 1);
  // A U.S. address without a state that we recognize doesn't have one.
  const hasState = !needsState(where) || (where !== 'US' && parts >= 3);
  return { hasCity: parts >= 2, hasState, country: where };
}

/** An address in the United States, read from one text. */
export interface UsAddress {
  readonly street: string;
  /** Empty if the text doesn't name a city. */
  readonly city: string;
  /** USPS code of the state, territory, or military region. */
  readonly state: string;
  /** ZIP Code or ZIP+4 Code, or an empty string. */
  readonly zip: string;
}

/** States by their USPS code, with the territories and military regions that have codes too: USPS Publication 28. */
const REGIONS: Readonly<Record<string, string>> = {
  ...STATES,
  ...{ VI: 'Virgin Islands', GU: 'Guam', AS: 'American Samoa', MP: 'Northern Mariana Islands' },
  ...{ AA: 'Armed Forces Americas', AE: 'Armed Forces Europe', AP: 'Armed Forces Pacific' },
};
const CODES_BY_NAME = new Map(Object.entries(REGIONS).map(([code, name]) => [name.toLowerCase(), code]));
const REGION = [...Object.keys(REGIONS), ...Object.values(REGIONS).sort((a, b) => b.length - a.length)].join('|');

const COUNTRY = /[\s,.]+(?:U\.?\s?S\.?\s?A\.?|U\.?S\.?|United States(?: of America)?)\.?$/i;
const CITY_LINE = new RegExp(`^(.+?)[\\s,]+(${REGION})\\.?(?:[\\s,]+(\\d{5}(?:-?\\d{4})?))?$`, 'i');

/** Street suffixes that a city's name doesn't start with. "St" isn't one of them, because it can be short for "Saint". */
const SUFFIX =
  'street|avenue|ave|av|boulevard|blvd|road|rd|drive|dr|lane|ln|way|court|ct|circle|cir|place|pl|square|sq|terrace|ter|trail|trl|parkway|pkwy|highway|hwy|loop|alley|aly|plaza|plz|row|pike|broadway';
const UNIT_WORD = 'suite|ste|unit|apt|apartment|floor|fl|bldg|building|room|rm|dept';
const DESIGNATOR = `(?:box|hwy|highway|route|rte|${UNIT_WORD})\\s+\\S+`;
const DIRECTION = 'n|s|e|w|ne|nw|se|sw';

/** A street and a city without a comma between them. The street ends with a suffix, a unit, or a box. */
const STREET_AND_CITY = new RegExp(
  `^(.*?(?:\\b(?:${SUFFIX}|st)\\.?|\\b(?:${DESIGNATOR})|#\\s*\\S+)(?:\\s+(?:${DIRECTION}))?)\\s+((?!(?:${SUFFIX}|${DIRECTION})\\b)\\D+)$`,
  'i',
);

/** A unit within a building, which isn't a city. */
const UNIT = new RegExp(`^(?:${UNIT_WORD}|attn|c\\/o|p\\.?\\s?o\\.?\\s?box|box|#)\\b|^\\d`, 'i');

/**
 * Reads a U.S. address: street, city, state, and ZIP Code, with or without commas and the country. Returns null if the text
 * doesn't end with a state. The formats are those of USPS Publication 28.
 *
 * @example readUsAddress('PO Box 1234, San Juan PR 00901-1234') // { street: 'PO Box 1234', city: 'San Juan', state: 'PR', zip: '00901-1234' }
 */
export function readUsAddress(text: string): UsAddress | null {
  const single = text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(COUNTRY, '')
    .replace(/[\s,.]+$/, '');
  const match = CITY_LINE.exec(single);
  if (!match) return null;
  const [, before = '', region = '', zip = ''] = match;
  const isCode = /^[A-Z]{2}$/.test(region);
  // Without a ZIP Code, a word such as "in" or "me" isn't a state, and a state's name can be a city's.
  if (zip === '' && !isCode && !CODES_BY_NAME.has(region.toLowerCase())) return null;
  const state = CODES_BY_NAME.get(region.toLowerCase()) ?? region.toUpperCase();
  const parts = before
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '');
  const last = parts.at(-1) ?? '';
  if (parts.length >= 2 && !UNIT.test(last)) {
    return { street: parts.slice(0, -1).join(', '), city: last, state, zip };
  }
  const split = STREET_AND_CITY.exec(last);
  const street = [...parts.slice(0, -1), split?.[1] ?? last].join(', ');
  return { street, city: split?.[2]?.trim() ?? '', state, zip };
}

/** Patterns of addresses in the script of the country: how a state or province and a city end. */
const NATIVE: readonly { country: string; script: RegExp; state: RegExp | null; city: RegExp }[] = [
  {
    country: 'KR',
    script: /\p{Script=Hangul}/u,
    state: /(?:도|특별시|광역시|자치시|시)(?=[\s,]|$)/u,
    city: /(?:시|군|구)(?=[\s,]|$)/u,
  },
  { country: 'JP', script: /[都道府県].*[市区町村郡]/u, state: /[都道府県]/u, city: /[市区町村郡]/u },
  { country: 'TW', script: /[縣區鄉鎮號臺灣]/u, state: null, city: /[市縣]/u },
  { country: 'CN', script: /\p{Script=Han}/u, state: /省|自治区|北京|上海|天津|重庆|特别行政区/u, city: /[市州盟县]/u },
];

function nativeParts(text: string): AddressParts | null {
  const native = NATIVE.find(({ script }) => script.test(text));
  if (!native || !/[\p{Script=Han}\p{Script=Hangul}]/u.test(text)) return null;
  const named = /中国|中國/u.test(text)
    ? 'CN'
    : /台灣|臺灣|台湾/u.test(text)
      ? 'TW'
      : /日本/u.test(text)
        ? 'JP'
        : /한국|대한민국/u.test(text)
          ? 'KR'
          : countryOf(text);
  return { hasCity: native.city.test(text), hasState: native.state?.test(text) ?? true, country: named };
}
