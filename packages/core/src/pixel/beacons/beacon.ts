import { type EventParameters, MAX_PARAMETER_TEXT, type ParameterValue } from '../model/event-parameters.ts';
import type { Vendor } from '../model/vendor.ts';
import { withoutPersonalData } from './personal-data.ts';

/** A request that a browser sent. `body` is the beginning of the body as text, or `null` if there's no body. */
export interface SentRequest {
  readonly url: string;
  readonly body: string | null;
}

/** Product that a beacon belongs to. Google's products share hosts, IDs, and consent signals. */
export type BeaconProduct = 'meta_pixel' | 'ga4' | 'universal_analytics' | 'google_ads' | 'floodlight' | 'ad_pixel';

/**
 * An event that a browser reported to a vendor. One request can contain several events. All strings come from the page,
 * so escape them for display.
 */
export interface Beacon {
  readonly vendor: Vendor;
  readonly product: BeaconProduct;
  /** The ID of the pixel, property, or account, in the same form as in the page's code, or `null` if it's missing. */
  readonly id: string | null;
  /** The event's name, or `null` if the vendor doesn't name the event in the request. */
  readonly event: string | null;
  /** ID for deduplicating the event if a server also sends it, or `null`. */
  readonly event_id: string | null;
  readonly parameters: EventParameters;
  readonly consent: BeaconConsent;
  /** Names of the fields that contain personal data, hashed or not. The values are never kept. */
  readonly personal: readonly string[];
}

/** The visitor's consent choice, as stated in a request. */
export interface BeaconConsent {
  /** Choice for each purpose that the request mentions. */
  readonly purposes: Readonly<Record<string, 'granted' | 'denied'>>;
  /** The signals as sent, such as `gcs=G100`. */
  readonly signals: Readonly<Record<string, string>>;
}

/** Consent data for a request that doesn't contain any consent signals. */
export const NO_SIGNAL: BeaconConsent = { purposes: {}, signals: {} };

/** Maximum number of parameters per event. */
const MAX_PARAMETERS = 40;

/** Maximum length of an ID or an event name. */
const MAX_NAME = 100;

/** Returns text or a number as trimmed text, truncated to 100 characters, or `null` if it's missing or empty. */
export const shortText = (text: unknown): string | null => {
  if (typeof text !== 'string' && typeof text !== 'number') return null;
  const trimmed = String(text).trim().slice(0, MAX_NAME).trim();
  return trimmed === '' ? null : trimmed;
};

/**
 * Converts event fields to parameters. Overly long values, nested values, and personal data become unknown values.
 * Email addresses and phone numbers inside other values are masked.
 *
 * @example parametersOf([['currency', 'USD']]).values.get('currency') // { kind: 'known', value: 'USD', direct: true }
 */
export function parametersOf(fields: Iterable<readonly [string, unknown]>): EventParameters {
  const values = new Map<string, ParameterValue>();
  let isCut = false;
  for (const [name, value] of fields) {
    isCut ||= values.size >= MAX_PARAMETERS;
    if (isCut) break;
    values.set(name.slice(0, MAX_PARAMETER_TEXT), parameterOf(name, value));
  }
  return { values, complete: isCut ? 'no' : 'yes' };
}

function parameterOf(name: string, value: unknown): ParameterValue {
  if (typeof value === 'boolean' || value === null) return { kind: 'known', value, direct: true };
  if ((typeof value !== 'string' && typeof value !== 'number') || String(value).length > MAX_PARAMETER_TEXT)
    return { kind: 'unknown' };
  const shown = withoutPersonalData(name, String(value));
  if (shown === null) return { kind: 'unknown' };
  return { kind: 'known', value: typeof value === 'number' ? value : shown, direct: true };
}

/**
 * Returns the parameters that have abbreviated names, listed under their full names.
 *
 * @example renamed(new Map([['cu', 'USD']]), new Map([['cu', 'currency']])) // [['currency', 'USD']]
 */
export function renamed(params: ReadonlyMap<string, string>, names: ReadonlyMap<string, string>): [string, string][] {
  return [...names].flatMap(([short, name]) => {
    const value = params.get(short);
    return value === undefined ? [] : [[name, value]];
  });
}

/** An object parsed from JSON that a page sent. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns the value if it's an object, or an empty object otherwise. */
export const objectOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
