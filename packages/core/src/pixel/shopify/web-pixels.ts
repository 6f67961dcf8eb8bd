import type { Vendor, WebPixel } from '../model/observation.ts';
import type { Value } from '../script/value.ts';

/** An entry in Shopify's web pixel list. Fields that older pages don't include are `null`. */
export interface WebPixelEntry extends WebPixel {
  readonly id: string;
  /** Value of `api_secret`, if the value looks like a secret. */
  readonly apiSecret: string | null;
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: Json | undefined): string | null =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null;

/** Parses JSON, or returns `null` if the text isn't valid JSON. */
export function parseJson(source: string): Json {
  try {
    return JSON.parse(source) as Json;
  } catch {
    return null;
  }
}

/** Returns nested JSON as an object. If the value is a string, parses it first. */
const nested = (value: Json | undefined): JsonObject => {
  const parsed = typeof value === 'string' ? parseJson(value) : value;
  return isObject(parsed) ? parsed : {};
};

/** Converts the known parts of a JavaScript value to JSON. */
export function valueToJson(value: Value | undefined, level = 0): Json {
  if (!value || level > 12) return null;
  if (value.kind === 'literal') return value.value === undefined ? null : value.value;
  if (value.kind === 'list') return value.items.map(item => valueToJson(item, level + 1));
  if (value.kind !== 'object') return null;
  return Object.fromEntries([...value.entries].map(([key, inner]) => [key, valueToJson(inner, level + 1)]));
}

/**
 * Extracts the web pixel list from a script that doesn't parse, by matching brackets outside strings. Returns `null` if
 * there's no list or a closing bracket is missing.
 *
 * @example extractList('…webPixelsConfigList: [{"id":"1"}], broken', 'webPixelsConfigList') // '[{"id":"1"}]'
 */
export function extractList(source: string, key: string): string | null {
  const at = source.indexOf(key);
  const from = at < 0 ? -1 : source.indexOf('[', at);
  if (from < 0 || from > at + key.length + 8) return null;
  let depth = 0;
  for (let i = from; i < source.length; i++) {
    const character = source[i];
    if (character === '"') {
      for (i++; i < source.length && source[i] !== '"'; i++) if (source[i] === '\\') i++;
    } else if (character === '[') depth++;
    else if (character === ']' && --depth === 0) return source.slice(from, i + 1);
  }
  return null;
}

/** Parses the web pixel list and skips entries with an unknown structure. Returns `null` if the value isn't a list. */
export function readWebPixels(list: Json): WebPixelEntry[] | null {
  return Array.isArray(list) ? list.filter(isObject).map(readEntry) : null;
}

function readEntry(entry: JsonObject): WebPixelEntry {
  const settings = nested(entry.configuration);
  const app = text(entry.apiClientId);
  const purposes = entry.privacyPurposes;
  const secret = text(settings.api_secret) ?? text(nested(settings.config).api_secret);
  return {
    id: text(entry.id) ?? '',
    type: text(entry.type) ?? '',
    name: text(entry.name),
    app,
    runtime: text(entry.runtimeContext),
    purposes: Array.isArray(purposes) ? purposes.filter(p => typeof p === 'string') : null,
    ...vendorOf(settings, app),
    apiSecret: secret && looksLikeSecret(secret) ? secret : null,
  };
}

/** Returns whether a value is long and varied enough to be a secret rather than a placeholder. */
export const looksLikeSecret = (value: string): boolean =>
  /^[\w-]{16,}$/.test(value) && /[A-Za-z]/.test(value) && /\d/.test(value) && new Set(value).size >= 8;

const GOOGLE_TAG = /^(?:G|GT|AW|DC)-[A-Z0-9]+$/i;

function vendorOf(settings: JsonObject, app: string | null): { vendor: Vendor; ids: string[] } {
  const pixelId = text(settings.pixel_id);
  const pixelType = text(settings.pixel_type);
  if (pixelId !== null && (pixelType === 'facebook_pixel' || (pixelType === null && app === '2329312'))) {
    return { vendor: 'meta', ids: [pixelId] };
  }
  const many = text(settings.pixels);
  if (many !== null && app === '3325251') {
    return {
      vendor: 'meta',
      ids: many
        .split(/[,;|]/)
        .map(p => /^\d{10,17}(?=_|$)/.exec(p.trim())?.[0] ?? '')
        .filter(Boolean),
    };
  }
  const google = googleIds(settings);
  if (google.length > 0 || app === '1780363') return { vendor: 'google', ids: google };
  const code = text(settings.pixelCode);
  if (code !== null) return { vendor: 'tiktok', ids: [code] };
  if (pixelId !== null && pixelType === 'tiktok_pixel') return { vendor: 'tiktok', ids: [pixelId] };
  const tag = text(settings.tagID);
  if (tag !== null) return { vendor: 'pinterest', ids: [tag] };
  const account = text(settings.accountID);
  return account !== null && app === '123074' ? { vendor: 'klaviyo', ids: [account] } : { vendor: 'other', ids: [] };
}

function googleIds(settings: JsonObject): string[] {
  const inner = nested(settings.config);
  const found: (string | null)[] = [text(inner.pixel_id), text(settings.measurement_id)];
  if (Array.isArray(inner.google_tag_ids)) found.push(...inner.google_tag_ids.map(text));
  if (Array.isArray(inner.gtag_events)) {
    for (const event of inner.gtag_events) {
      if (!isObject(event)) continue;
      const label = event.action_label;
      for (const one of Array.isArray(label) ? label : [label ?? null]) found.push(text(one)?.split('/', 1)[0] ?? null);
    }
  }
  return [...new Set(found.filter((id): id is string => id !== null && GOOGLE_TAG.test(id)))];
}
