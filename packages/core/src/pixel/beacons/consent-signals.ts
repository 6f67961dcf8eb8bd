import type { BeaconConsent } from './beacon.ts';

type Choice = 'granted' | 'denied';

/** Purposes in the order of the `gcd` parameter. The `gcs` parameter has only the first two. */
const PURPOSES = ['ad_storage', 'analytics_storage', 'ad_user_data', 'ad_personalization'] as const;

/**
 * Current choice for each letter in the `gcd` parameter. A letter encodes both the consent default and the update. The
 * letter `l`, which means that the page set neither, is omitted.
 *
 * Source: https://developers.google.com/tag-platform/security/guides/consent-debugging, checked 2026-11-23.
 */
const LETTERS: ReadonlyMap<string, Choice> = new Map([
  ...[...'pqmu'].map(letter => [letter, 'denied'] as const),
  ...[...'trnv'].map(letter => [letter, 'granted'] as const),
]);

/**
 * Reads the consent signals in a Google request. `gcs` contains the current choice and takes precedence over `gcd`,
 * which also contains the two purposes for advertising data.
 *
 * @example googleConsent(new Map([['gcs', 'G110']])).purposes // { ad_storage: 'granted', analytics_storage: 'denied' }
 */
export function googleConsent(params: ReadonlyMap<string, string>): BeaconConsent {
  const signals: Record<string, string> = {};
  for (const name of ['gcs', 'gcd', 'npa', 'dma', 'dma_cps', 'us_privacy', 'gdpr']) {
    const value = params.get(name);
    if (value) signals[name] = value.slice(0, MAX_SIGNAL);
  }
  const purposes: Record<string, Choice> = {};
  // The first digit is a version. The choice for each purpose is encoded as a letter between two digits.
  const letters = /^\d\d([a-z])\d([a-z])\d([a-z])\d([a-z])\d/.exec(params.get('gcd') ?? '') ?? [];
  for (const [index, purpose] of PURPOSES.entries()) {
    const choice = LETTERS.get(letters[index + 1] ?? '');
    if (choice) purposes[purpose] = choice;
  }
  const flags = /^G1([01-])([01-])/.exec(params.get('gcs') ?? '') ?? [];
  for (const [index, flag] of flags.slice(1).entries())
    if (flag !== '-') purposes[PURPOSES[index]!] = flag === '1' ? 'granted' : 'denied';
  return { purposes, signals };
}

/**
 * Reads Meta's data processing options. `LDU` (limited data use) restricts how Meta uses the data, but it doesn't
 * prevent the request, so no purpose is denied.
 *
 * @example metaConsent(new Map([['dpo', 'LDU'], ['dpoco', '0']])).signals // { dpo: 'LDU', dpoco: '0' }
 */
export function metaConsent(params: ReadonlyMap<string, string>): BeaconConsent {
  const signals: Record<string, string> = {};
  for (const name of ['dpo', 'dpoco', 'dpost']) {
    const value = params.get(name);
    if (value !== undefined) signals[name] = value.slice(0, MAX_SIGNAL);
  }
  return { purposes: {}, signals };
}

/** Maximum length of a signal. */
const MAX_SIGNAL = 60;
