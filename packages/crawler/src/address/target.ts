import { isIP } from 'node:net';
import { ScanFailed } from '../scan-failed.ts';

/** Longer ones are not typed by people; RFC 9110 §4.1 asks servers to support at least 8,000, shops need far less. */
const longestUrl = 2_048;

/** Endings that never belong to a public site: RFC 6761, 6762, 7686, 8375, 9476, ICANN's `internal` and undelegated names. */
const privateEndings =
  /(?:^|\.)(?:localhost|local|internal|home\.arpa|intranet|lan|corp|home|mail|private|onion|alt|test|invalid)$/;

/**
 * Reads an address that a stranger gave and returns the URL to fetch: http or https, port 80 or 443, no user name, no
 * fragment, no trailing dot. A bare host means https. There is one parser, WHATWG URL; what it returns is what is judged and fetched.
 *
 * @param base where the address was found; relative addresses are read against it
 * @throws ScanFailed `invalid_url`
 * @example parseTarget('shop.example').href // 'https://shop.example/'
 * @example parseTarget('http://0x7f.1/').hostname // '127.0.0.1', for the judge to refuse
 */
export function parseTarget(address: string, base?: URL): URL {
  const trimmed = address.trim();
  const absolute = base || /^[a-z][a-z0-9+.-]*:/i.test(trimmed) ? trimmed : `https://${trimmed}`;
  // The parser would drop tabs and line breaks silently; no honest address holds one.
  if (trimmed === '' || /\p{Cc}/u.test(trimmed)) throw new ScanFailed('invalid_url');
  const url = URL.parse(absolute, base?.href);
  if (!url || url.href.length > longestUrl) throw new ScanFailed('invalid_url');
  url.hash = '';
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  const ordinary =
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    ['', '80', '443'].includes(url.port) &&
    url.username === '' &&
    url.password === '' &&
    url.hostname !== '' &&
    url.hostname.length <= 253;
  if (!ordinary) throw new ScanFailed('invalid_url');
  return url;
}

/**
 * The IP address that a URL names literally, without brackets, or null for a name.
 *
 * @example literalAddress(new URL('http://[::1]/')) // '::1'
 */
export function literalAddress(url: URL): string | null {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) ? host : null;
}

/**
 * Says whether a host name may belong to a public site. Names without a dot, with an empty label, or under an ending
 * that is private by convention may not, whatever a resolver would say.
 *
 * @example isPublicName('metadata.google.internal') // false
 */
export function isPublicName(hostname: string): boolean {
  const labels = hostname.split('.');
  return labels.length > 1 && !labels.includes('') && !privateEndings.test(hostname);
}
