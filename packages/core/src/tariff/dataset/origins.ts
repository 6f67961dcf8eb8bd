const EUROPEAN_UNION = [
  ...['AT', 'BE', 'BG', 'HR', 'CY', 'CZ', 'DK', 'EE', 'FI', 'FR', 'DE', 'GR', 'HU', 'IE', 'IT', 'LV', 'LT', 'LU', 'MT'],
  ...['NL', 'PL', 'PT', 'RO', 'SK', 'SI', 'ES', 'SE'],
];

/** Countries whose products are subject to column 2 rates under general note 3(b) of the HTS. */
export const COLUMN_2: readonly string[] = ['BY', 'CU', 'KP', 'RU'];

/** Region codes that have a display name but aren't countries of origin. */
const NOT_COUNTRIES = ['ZZ', 'UN'];

/**
 * Parses a country of origin from an ISO 3166-1 alpha-2 code in uppercase or lowercase. `UK` becomes `GB`, and `EU`
 * means any member state. Returns null if the string isn't a country code.
 *
 * @example parseOrigin('uk') // 'GB'
 */
export function parseOrigin(text: string): string | null {
  if (!/^[A-Za-z]{2}$/.test(text)) return null;
  const code = text.toUpperCase();
  let origin = parsed.get(code);
  if (origin === undefined) parsed.set(code, (origin = countryOf(code)));
  return origin;
}

/**
 * Countries by two-letter code, cached because an `Intl` call takes longer than a lookup. The cache has at most 676
 * entries.
 */
const parsed = new Map<string, string | null>();

function countryOf(text: string): string | null {
  const region = new Intl.Locale('und', { region: text }).region!;
  if (NOT_COUNTRIES.includes(region)) return null;
  names ??= new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  return names.of(region) === undefined ? null : region;
}

/** Country names, created on first use because creating them takes longer than a lookup. */
let names: Intl.DisplayNames | undefined;

/**
 * Returns a JSON Schema pattern for the country codes that {@link parseOrigin} accepts, in uppercase or lowercase.
 *
 * @param others codes to omit, and additional strings to accept
 * @example new RegExp(originPattern({ except: ['EU'], also: ['unknown'] })).test('de') // true
 */
export function originPattern({ except = [], also = [] }: { except?: string[]; also?: string[] } = {}): string {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const groups = letters.map(first => {
    const isCode = (last: string) => parseOrigin(first + last) !== null && !except.includes(first + last);
    const last = letters.filter(isCode).join('');
    return last === '' ? [] : [`[${first}${first.toLowerCase()}][${last}${last.toLowerCase()}]`];
  });
  return `^(?:${[...groups.flat(), ...also].join('|')})$`;
}

/** Returns whether a list of origins includes an origin. `EU` in the list includes all member states. */
export function includesOrigin(origins: readonly string[], origin: string): boolean {
  return origins.includes(origin) || (origins.includes('EU') && EUROPEAN_UNION.includes(origin));
}
