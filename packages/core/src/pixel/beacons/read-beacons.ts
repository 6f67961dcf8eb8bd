import { looseUrl } from '../html/url.ts';
import { readAdBeacons } from './ad-beacons.ts';
import type { Beacon, SentRequest } from './beacon.ts';
import { readGoogleBeacons } from './google.ts';
import { readMetaBeacons } from './meta.ts';

/** Maximum number of characters to read from a body. Event batches are shorter. */
const MAX_BODY = 64 * 1024;

/**
 * Reads the events that a request reports to Meta, Google, TikTok, Pinterest, Klaviyo, Snapchat, Microsoft, X, Reddit,
 * or LinkedIn. Returns an empty list for any other request. Never throws an error, regardless of the request's content.
 *
 * @example
 * readBeacons({ url: 'https://www.facebook.com/tr/?id=1234567890&ev=PageView', body: null })[0]?.event // 'PageView'
 */
export function readBeacons({ url, body }: SentRequest): Beacon[] {
  if (!/^https?:\/\//i.test(url)) return [];
  const target = looseUrl(url);
  const text = body === null ? null : body.slice(0, MAX_BODY);
  for (const read of [readMetaBeacons, readGoogleBeacons, readAdBeacons]) {
    const beacons = read(target, text);
    if (beacons.length > 0) return beacons;
  }
  return [];
}
