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
  México: 'MX',
  Bharat: 'IN',
};

/** U.S. states by their USPS code, with the District of Columbia and Puerto Rico. */
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
 * Returns the alpha-2 code of a country that is given by its alpha-2 code, its alpha-3 code, or its name, in any case. Returns
 * the text unchanged if it isn't one of these.
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
