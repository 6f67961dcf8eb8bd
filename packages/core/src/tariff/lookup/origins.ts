const EUROPEAN_UNION = [
  ...['AT', 'BE', 'BG', 'HR', 'CY', 'CZ', 'DK', 'EE', 'FI', 'FR', 'DE', 'GR', 'HU', 'IE', 'IT', 'LV', 'LT', 'LU', 'MT'],
  ...['NL', 'PL', 'PT', 'RO', 'SK', 'SI', 'ES', 'SE'],
];

/** Codes that name no country a good can come from, though a locale library has a name for them. */
const NO_COUNTRY = ['ZZ', 'UN'];

/**
 * Reads a country of origin: an ISO 3166 alpha-2 code in either case. `UK` is read as `GB`; `EU` stands for any member state.
 * Returns null when the text names no country.
 *
 * @example parseOrigin('uk') // 'GB'
 */
export function parseOrigin(text: string): string | null {
  if (!/^[A-Za-z]{2}$/.test(text)) return null;
  const region = new Intl.Locale('und', { region: text }).region!;
  if (NO_COUNTRY.includes(region)) return null;
  return new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' }).of(region) === undefined ? null : region;
}

/** Whether a list of origins, in which `EU` stands for its member states, holds an origin. */
export function includesOrigin(origins: readonly string[], origin: string): boolean {
  return origins.includes(origin) || (origins.includes('EU') && EUROPEAN_UNION.includes(origin));
}
