import { STATES } from './places.ts';

/** An address in the United States, parsed from a single string. */
export interface UsAddress {
  readonly street: string;
  /** Empty if the text doesn't name a city. */
  readonly city: string;
  /** USPS code of the state, territory, or military region. */
  readonly state: string;
  /** ZIP Code or ZIP+4 Code, or an empty string. */
  readonly zip: string;
}

/** State, territory, and military region names, by USPS code. Source: USPS Publication 28. */
const REGIONS: Readonly<Record<string, string>> = {
  ...STATES,
  ...{ VI: 'Virgin Islands', GU: 'Guam', AS: 'American Samoa', MP: 'Northern Mariana Islands' },
  ...{ AA: 'Armed Forces Americas', AE: 'Armed Forces Europe', AP: 'Armed Forces Pacific' },
};
const CODES_BY_NAME = new Map(Object.entries(REGIONS).map(([code, name]) => [name.toLowerCase(), code]));
const REGION = [...Object.keys(REGIONS), ...Object.values(REGIONS).sort((a, b) => b.length - a.length)].join('|');

const COUNTRY = /[\s,.]+(?:U\.?\s?S\.?\s?A\.?|U\.?S\.?|United States(?: of America)?)\.?$/i;
const CITY_LINE = new RegExp(
  `^(.+?)[\\s,]+(${REGION}|[A-Z]\\.\\s?[A-Z]\\.)\\.?(?:[\\s,]+(\\d{5}(?:-?\\d{4})?))?$`,
  'i',
);

/** Street suffixes that rarely start a city name. "St" isn't included, because it can be short for "Saint". */
const SUFFIX =
  'street|avenue|ave|av|boulevard|blvd|road|rd|drive|dr|lane|ln|way|court|ct|circle|cir|place|pl|square|sq|terrace|ter|trail|trl|parkway|pkwy|highway|hwy|loop|alley|aly|plaza|plz|row|pike|broadway|xing|cv|expy|fwy|embarcadero';
/** Street suffixes that can start a city name, as in Point Pleasant. */
const OTHER_SUFFIX = 'st|run|pt|point|vw|crossing|cove';
const UNIT_WORD = 'suite|ste|unit|apt|apartment|floor|fl|bldg|building|room|rm|dept|dock|lot|pmb';
const ROAD_NUMBER = String.raw`(?:hwy|highway|route|rte|road|rd|cr|fm|sr)\s+\d\S*`;
const DESIGNATOR = String.raw`(?:(?:box|pob|${UNIT_WORD})\.?\s+\S+|#\s*\S+|${ROAD_NUMBER})`;
const DIRECTION = 'n|s|e|w|ne|nw|se|sw';

/**
 * Matches a street and a city without a comma between them. The street ends with a suffix, a direction, a unit, or a
 * box or road number.
 */
const STREET_AND_CITY = new RegExp(
  String.raw`^(.*?(?:\b(?:(?:${SUFFIX}|${OTHER_SUFFIX})\.?|avenue of the americas)(?:\s+(?:${DIRECTION})\b)?(?:\s+${DESIGNATOR})*|(?:\b|(?=#))${DESIGNATOR}(?:\s+${DESIGNATOR})*|\d+ [nsew] \d+ [nsew]))\s+((?!(?:${SUFFIX}|${DIRECTION}|of|${UNIT_WORD}|#)\b)\D+)$`,
  'i',
);

/**
 * Matches a street and a military post office (APO, FPO, or DPO) without a comma between them. The post office counts
 * as the city.
 */
const MILITARY_CITY = /^(.*\S)\s+([AFD]PO)$/i;

/** Matches a unit within a building, which could otherwise be mistaken for a city. */
const UNIT = new RegExp(`^(?:${UNIT_WORD}|attn|c\\/o|p\\.?\\s?o\\.?\\s?box|box|#)\\b|^\\d`, 'i');

/**
 * Parses a U.S. address: street, city, state, and ZIP Code, with or without commas and the country. Returns null if the
 * text doesn't end with a state, optionally followed by a ZIP Code and the country. Supports the formats in USPS
 * Publication 28.
 *
 * @example readUsAddress('PO Box 1234, San Juan PR 00901-1234') // { street: 'PO Box 1234', city: 'San Juan', state: 'PR', zip: '00901-1234' }
 */
export function readUsAddress(text: string): UsAddress | null {
  const single = text
    .replace(/[\n\r]+/g, ', ')
    .replace(/\s+/g, ' ')
    .replace(/[\s,.]+$/, '')
    .replace(COUNTRY, '')
    .replace(/[\s,.]+$/, '');
  const match = CITY_LINE.exec(single);
  if (!match) return null;
  const [, before = '', written = '', zip = ''] = match;
  const region = written.replace(/[.\s](?=.?\.?$)/g, '').replace(/\.$/, '');
  const isCode = /^[A-Z]{2}$/.test(region);
  // Without a ZIP Code, a two-letter word such as "in" or "me" counts as a state only if it's uppercase.
  if (zip === '' && !isCode && !CODES_BY_NAME.has(region.toLowerCase())) return null;
  const state = CODES_BY_NAME.get(region.toLowerCase()) ?? region.toUpperCase();
  if (!Object.hasOwn(REGIONS, state)) return null;
  const parts = before
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '');
  const last = parts.at(-1) ?? '';
  if (parts.length >= 2 && !UNIT.test(last)) {
    return { street: parts.slice(0, -1).join(', '), city: last, state, zip };
  }
  const split = MILITARY_CITY.exec(last) ?? STREET_AND_CITY.exec(last);
  const street = [...parts.slice(0, -1), split?.[1] ?? last].join(', ');
  return { street, city: split?.[2]?.trim() ?? '', state, zip };
}
