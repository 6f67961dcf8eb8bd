import { isIP } from 'node:net';
import { ScanFailed } from '../scan-failed.ts';

/**
 * Maximum URL length. RFC 9110 §4.1 recommends supporting URLs of at least 8,000 octets, but shop URLs are far shorter.
 */
const longestUrl = 2_048;

/** Maximum length of a webhook or file URL, which can contain a signature and be longer than a shop URL. */
const longestHttpsUrl = 8_000;

/**
 * Hostname endings that never belong to a public site: names reserved by RFCs 6761, 6762, 7686, 8375, and 9476; ICANN's
 * `internal`; and undelegated top-level domains.
 */
const privateEndings =
  /(?:^|\.)(?:localhost|local|internal|home\.arpa|intranet|lan|corp|home|mail|private|onion|alt|test|invalid)$/;

/**
 * Parses an untrusted URL and returns the URL to fetch. The returned URL uses HTTP or HTTPS on port 80 or 443 and has
 * no username, password, fragment, or trailing dot. Adds `https://` to a bare host. Every URL goes through this parser
 * (WHATWG URL), so the crawler fetches exactly the URL that it checked.
 *
 * @param base URL of the page that contains `address`, for resolving a relative `address`
 * @throws ScanFailed with `invalid_url`
 * @example parseTarget('shop.example').href // 'https://shop.example/'
 * @example parseTarget('http://0x7f.1/').hostname // '127.0.0.1', which isn't public
 */
export function parseTarget(address: string, base?: URL, maxLength = longestUrl): URL {
  const trimmed = address.trim();
  const absolute = base || /^[a-z][a-z0-9+.-]*:/i.test(trimmed) ? trimmed : `https://${trimmed}`;
  // Reject control characters, because the URL parser would silently remove tabs and line breaks.
  if (trimmed === '' || /\p{Cc}/u.test(trimmed)) throw new ScanFailed('invalid_url');
  const url = URL.parse(absolute, base?.href);
  if (!url || url.href.length > maxLength) throw new ScanFailed('invalid_url');
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
 * Parses the URL of a webhook receiver or a file.
 *
 * @throws ScanFailed with `invalid_url` if the URL is invalid, doesn't start with `https://`, uses a port other than
 * 443, or contains a username or password
 * @example parseHttpsUrl('https://hooks.example/tariff').href // 'https://hooks.example/tariff'
 */
export function parseHttpsUrl(text: string): URL {
  if (!/^https:\/\//i.test(text)) throw new ScanFailed('invalid_url');
  const url = parseTarget(text, undefined, longestHttpsUrl);
  if (url.protocol !== 'https:' || url.port !== '') throw new ScanFailed('invalid_url');
  return url;
}

/**
 * Returns a URL's host without brackets if the host is an IP address, or null otherwise.
 *
 * @example literalAddress(new URL('http://[::1]/')) // '::1'
 */
export function literalAddress(url: URL): string | null {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) ? host : null;
}

/**
 * Returns whether a hostname can belong to a public site. A hostname can't be public, regardless of its addresses, if
 * it lacks a dot, contains an empty label, or has an ending that is private by convention.
 *
 * @example isPublicName('metadata.google.internal') // false
 */
export function isPublicName(hostname: string): boolean {
  const labels = hostname.split('.');
  return labels.length > 1 && !labels.includes('') && !privateEndings.test(hostname);
}
