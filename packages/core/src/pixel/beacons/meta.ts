import { isSameOrSubdomain, type LooseUrl, queryParams } from '../html/url.ts';
import { parseJson } from '../shopify/web-pixels.ts';
import { type Beacon, objectOf, parametersOf, shortText } from './beacon.ts';
import { metaConsent } from './consent-signals.ts';

/** Matches a field in a multipart form body, which Meta's library sends if an event doesn't fit in a URL. */
const FORM_FIELD = /name="([^"\r\n]{1,200})"\r?\n\r?\n([^\r\n]*)/g;

/**
 * Reads a Meta pixel event: the pixel ID, event name, and parameters (`cd[…]`). Returns an empty list for other
 * requests.
 *
 * Source: https://developers.facebook.com/docs/meta-pixel/implementation/conversion-tracking, checked 2026-11-23.
 */
export function readMetaBeacons(url: LooseUrl, body: string | null): Beacon[] {
  const isPixel =
    isSameOrSubdomain(url.host, 'facebook.com') &&
    /^\/(?:tr|privacy_sandbox\/pixel\/register\/trigger)\/?$/.test(url.path);
  if (!isPixel) return [];
  const params = new Map([...bodyFields(body ?? ''), ...url.params]);
  const event = shortText(params.get('ev'));
  if (event === null) return [];
  const data = [...params].flatMap(([name, value]) => {
    const key = /^cd\[(.+)\]$/.exec(name)?.[1];
    return key === undefined ? [] : [[key, contentOf(key, value)] as const];
  });
  return [
    {
      ...{ vendor: 'meta', product: 'meta_pixel', id: shortText(params.get('id')), event },
      event_id: shortText(params.get('eid')),
      parameters: parametersOf(data),
      consent: metaConsent(params),
      personal: [...params.keys()].flatMap(name => /^ud\[(\w{1,20})\]$/.exec(name)?.[1] ?? []),
    },
  ];
}

/** Returns a parameter's value. Product lists are parsed, because Meta's library sends them as JSON. */
const contentOf = (key: string, value: string): unknown =>
  key === 'contents' || key === 'content_ids' ? (parseJson(value) ?? value) : value;

function bodyFields(body: string): Map<string, string> {
  if (!body.startsWith('--')) return body === '' || body.startsWith('{') ? jsonFields(body) : queryParams(body);
  return new Map([...body.matchAll(FORM_FIELD)].map(([, name = '', value = '']) => [name, value]));
}

function jsonFields(body: string): Map<string, string> {
  const fields = Object.entries(objectOf(parseJson(body)));
  return new Map(fields.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])));
}
