/** Officially assigned ISO 3166-1 alpha-2 codes. */
export const COUNTRY_CODES: readonly string[] = (
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF ' +
  'CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH ' +
  'GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW ' +
  'KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG ' +
  'NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN ' +
  'SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ' +
  'ZA ZM ZW'
).split(' ');

/** A country with its name in one language. */
export interface Country {
  readonly code: string;
  readonly name: string;
}

/**
 * Returns all countries with their names in one language, sorted by name. The names depend on the runtime's version of
 * ICU, so the server's names might differ from the browser's.
 *
 * @example countriesIn('de').find(({ code }) => code === 'TW') // { code: 'TW', name: 'Taiwan' }
 */
export function countriesIn(locale: string): readonly Country[] {
  const known = countriesByLocale.get(locale);
  if (known) return known;
  const names = new Intl.DisplayNames([locale], { type: 'region' });
  const { compare } = new Intl.Collator(locale);
  const countries = COUNTRY_CODES.map(code => ({ code, name: names.of(code)! }));
  countries.sort((a, b) => compare(a.name, b.name));
  countriesByLocale.set(locale, countries);
  return countries;
}

/** Countries by locale. A form can contain many country pickers, and sorting takes too long to repeat for each one. */
const countriesByLocale = new Map<string, readonly Country[]>();

/**
 * Returns the countries whose code equals the text or whose name contains it, ignoring case and accents.
 *
 * @example searchCountries(countriesIn('en'), 'viet') // [{ code: 'VN', name: 'Vietnam' }]
 */
export function searchCountries(countries: readonly Country[], text: string): readonly Country[] {
  const wanted = plain(text);
  return countries.filter(({ code, name }) => plain(code) === wanted || plain(name).includes(wanted));
}

/**
 * Returns the country that the text identifies: the country with this code or name, or otherwise the only country whose
 * name contains the text. Returns null if no country or more than one country matches.
 *
 * @example countryTyped(countriesIn('en'), 'us')?.code // 'US', although other names contain these letters
 */
export function countryTyped(countries: readonly Country[], text: string): Country | null {
  const wanted = plain(text);
  const exact = countries.find(({ code, name }) => plain(code) === wanted || plain(name) === wanted);
  const found = exact ? [exact] : searchCountries(countries, text);
  return found.length === 1 ? found[0]! : null;
}

const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').trim().toLowerCase();
