import codes from 'i18n-iso-countries/codes.json' with { type: 'json' };
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' };

// Country names that are common on certificates but aren't in the ISO list.
const ALSO: Record<string, string> = {
  'Viet Nam': 'VN',
  Macau: 'MO',
  'Hong Kong SAR': 'HK',
  'Macao SAR': 'MO',
  PRC: 'CN',
  'P.R. China': 'CN',
  'PR China': 'CN',
  'P. R. China': 'CN',
  'Mainland China': 'CN',
  ROC: 'TW',
  Korea: 'KR',
  'S. Korea': 'KR',
  'Republic of China': 'TW',
  England: 'GB',
  Scotland: 'GB',
  Wales: 'GB',
  'Northern Ireland': 'GB',
  Holland: 'NL',
  Burma: 'MM',
  Syria: 'SY',
  Laos: 'LA',
  Brunei: 'BN',
  Bolivia: 'BO',
  Venezuela: 'VE',
  Moldova: 'MD',
  Iran: 'IR',
  UK: 'GB',
  中国: 'CN',
  中國: 'CN',
  台灣: 'TW',
  臺灣: 'TW',
  台湾: 'TW',
  日本: 'JP',
  日本国: 'JP',
  대한민국: 'KR',
  한국: 'KR',
  'Việt Nam': 'VN',
  Deutschland: 'DE',
  'Federal Republic of Germany': 'DE',
  México: 'MX',
  Bharat: 'IN',
  भारत: 'IN',
  'R.O.C.': 'TW',
  'Taiwan (R.O.C.)': 'TW',
  'Taiwan R.O.C.': 'TW',
  'Taiwan ROC': 'TW',
  'Estados Unidos Mexicanos': 'MX',
  "People's Republic of China": 'CN',
};

/** U.S. states, the District of Columbia, and Puerto Rico, by USPS code. */
export const STATES: Record<string, string> = {
  AL: 'Alabama',
  AK: 'Alaska',
  AZ: 'Arizona',
  AR: 'Arkansas',
  CA: 'California',
  CO: 'Colorado',
  CT: 'Connecticut',
  DE: 'Delaware',
  FL: 'Florida',
  GA: 'Georgia',
  HI: 'Hawaii',
  ID: 'Idaho',
  IL: 'Illinois',
  IN: 'Indiana',
  IA: 'Iowa',
  KS: 'Kansas',
  KY: 'Kentucky',
  LA: 'Louisiana',
  ME: 'Maine',
  MD: 'Maryland',
  MA: 'Massachusetts',
  MI: 'Michigan',
  MN: 'Minnesota',
  MS: 'Mississippi',
  MO: 'Missouri',
  MT: 'Montana',
  NE: 'Nebraska',
  NV: 'Nevada',
  NH: 'New Hampshire',
  NJ: 'New Jersey',
  NM: 'New Mexico',
  NY: 'New York',
  NC: 'North Carolina',
  ND: 'North Dakota',
  OH: 'Ohio',
  OK: 'Oklahoma',
  OR: 'Oregon',
  PA: 'Pennsylvania',
  RI: 'Rhode Island',
  SC: 'South Carolina',
  SD: 'South Dakota',
  TN: 'Tennessee',
  TX: 'Texas',
  UT: 'Utah',
  VT: 'Vermont',
  VA: 'Virginia',
  WA: 'Washington',
  WV: 'West Virginia',
  WI: 'Wisconsin',
  WY: 'Wyoming',
  DC: 'District of Columbia',
  PR: 'Puerto Rico',
};

const fold = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/^the /, '')
    .replace(/[.'’]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

const names = new Map<string, string>();
for (const [code, forms] of Object.entries(english.countries)) {
  for (const form of [forms].flat()) names.set(fold(form), code);
}
for (const [form, code] of Object.entries(ALSO)) names.set(fold(form), code);
const countries = new Map(names);
for (const state of Object.values(STATES)) names.set(fold(state), 'US');
const alpha3 = new Map((codes as readonly string[][]).map(([two, three]) => [three!, two!]));

const isIso = (code: string) => Object.hasOwn(english.countries, code);

/**
 * Returns the ISO 3166-1 alpha-2 code for the country named in the last part of a location, or `null` if the location
 * is ambiguous or unknown. A U.S. state resolves to `US`. "Los Angeles, CA" is ambiguous because CA can be California
 * or Canada.
 *
 * @example countryOf('Shenzhen, China') // 'CN'
 */
export function countryOf(place: string): string | null {
  const last = place
    .split(/[,;，、；]/u)
    .at(-1)!
    .trim()
    .replace(/\.$/, '');
  const zip = /^(.*?)\s+\d{5}(-\d{4})?$/.exec(last);
  if (zip && (Object.hasOwn(STATES, zip[1]!) || names.get(fold(zip[1]!)) === 'US')) return 'US';
  const code = last.toUpperCase() === last && /^[A-Z]{2}$/.test(last) ? last : null;
  if (code && Object.hasOwn(STATES, code)) return isIso(code) ? null : 'US';
  if (code && isIso(code)) return code;
  // Georgia is both a country and a state.
  return fold(last) === 'georgia' ? null : (names.get(fold(last)) ?? null);
}

/**
 * Removes the country from the end of a location and returns it separately. If the text doesn't end with a country,
 * `country` is null and `rest` is the whole text. If a postal code follows the country, `rest` keeps the postal code.
 *
 * @example splitCountry('Shenzhen, Guangdong, China 518057') // { rest: 'Shenzhen, Guangdong 518057', country: 'CN' }
 */
export function splitCountry(place: string): { rest: string; country: string | null } {
  const [, before = place, postalCode = ''] =
    /^(.*[^\d\s,:–-])[\s,]*?(?:(?<=\D)[\s,:–-]+(\d[\d -]{1,7}\d))?[\s,.]*$/su.exec(place) ?? [];
  const words = before.split(/(?<=[\s,;，、；])|(?=\()/u);
  for (let from = Math.max(0, words.length - MAX_COUNTRY_WORDS); from < words.length; from++) {
    const name = words
      .slice(from)
      .join('')
      .replace(/^[\s,;，、；(]+|[\s.,)]+$/gu, '');
    const startsPart = from === 0 || /[,;，、；(]\s*$/u.test(words[from - 1]!) || /^\(/.test(words[from]!);
    const country = startsPart ? countryOf(name) : (countries.get(fold(name)) ?? null);
    const previous = words[from - 1]?.trim().toLowerCase() ?? '';
    if (country === null || /[,;，、；]/.test(name) || (!startsPart && NOT_BEFORE_COUNTRY.has(previous))) continue;
    const rest = words
      .slice(0, from)
      .join('')
      .replace(/[\s,;，、；(]+$/u, '');
    if (/\b(?:taiwan)$/i.test(rest)) return { ...splitCountry(rest), country };
    return { rest: postalCode === '' ? rest : `${rest} ${postalCode}`, country };
  }
  return { rest: place, country: null };
}

/** Maximum number of words in a country name. */
const MAX_COUNTRY_WORDS = 6;
/** Words that make a following country name part of another place name, such as the "New" in "New Mexico". */
const NOT_BEFORE_COUNTRY = new Set(['de', 'of', 'new', 'del', 'the']);

/**
 * Converts a country's alpha-2 code, alpha-3 code, or name to its alpha-2 code, ignoring case. Returns any other text
 * unchanged.
 *
 * @example countryCodeOf('united states') // 'US'
 */
export function countryCodeOf(text: string): string {
  const upper = text.toUpperCase();
  if (upper === 'UK') return 'GB';
  if (/^[A-Z]{2}$/.test(upper)) return upper;
  return alpha3.get(upper) ?? countries.get(fold(text)) ?? text;
}

/** Returns whether a code is an ISO 3166-1 alpha-2 country code. */
export const isCountry = isIso;

/** Returns the common English name of a country, or its code if the name is unknown. */
export function countryName(code: string): string {
  const forms = [(english.countries as Record<string, string | string[]>)[code] ?? code].flat();
  return forms.find(form => !/Republic|Federation|Province|Kingdom of|of America/.test(form)) ?? forms[0]!;
}

const quoted = (text: string) => text.replaceAll(/[.()'’]/g, character => `[${character}]`);

/**
 * JSON Schema pattern for a country: any two letters, an alpha-3 code, or a name from the ISO list or in common use.
 * `countryCodeOf` also accepts names in a different case or without accents.
 *
 * @example new RegExp(COUNTRY_PATTERN, 'u').test('Viet Nam') // true
 */
export const COUNTRY_PATTERN = `^(?:[A-Za-z]{2}|${[
  ...[...alpha3.keys()].flatMap(code => [code, code.toLowerCase()]),
  ...Object.values(english.countries).flat(),
  ...Object.keys(ALSO),
]
  .map(quoted)
  .join('|')})$`;
