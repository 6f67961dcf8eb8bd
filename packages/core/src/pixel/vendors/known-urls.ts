import { AD_PIXELS } from '../ad-pixels/ad-pixels.ts';
import { isSameOrSubdomain, type LooseUrl, looseUrl } from '../html/url.ts';
import type { Library, Vendor } from '../model/observation.ts';
import { UNRESOLVED } from '../model/unresolved.ts';

/** Information about a tag that the scan recognizes by its URL. */
export type KnownUrl =
  | {
      readonly kind: 'loader';
      readonly vendor: Vendor;
      readonly library: Library;
      readonly id: string | null;
      readonly official: boolean;
      readonly layer: string | null;
    }
  | {
      readonly kind: 'beacon';
      readonly vendor: 'meta' | 'google';
      readonly api: 'pixel' | 'offsite' | 'collect_v1' | 'collect' | 'measurement_protocol' | 'viewthrough' | 'graph';
    }
  | { readonly kind: 'frame'; readonly id: string | null };

const GOOGLE_ID = /^(?:G|GT|AW|DC|GTM|UA|OPT)-[\w-]{1,24}$/;

/** Returns the Google ID in a query string, or `null` if the ID is missing or unresolved. */
const googleId = (url: LooseUrl, key = 'id'): string | null => {
  const id = url.params.get(key);
  return id && !id.includes(UNRESOLVED) ? id : null;
};

const loader = (
  vendor: Vendor,
  library: Library,
  id: string | null,
  official = true,
  layer: string | null = null,
): KnownUrl => ({
  kind: 'loader',
  vendor,
  library,
  id: id?.includes(UNRESOLVED) ? null : id,
  official,
  layer,
});

const endsWith = (url: LooseUrl, ...names: string[]): boolean => names.some(name => url.path.endsWith(`/${name}`));

function meta(url: LooseUrl): KnownUrl | null {
  const official = isSameOrSubdomain(url.host, 'connect.facebook.net') || url.path.includes('connect.facebook.net/');
  if (official || isSameOrSubdomain(url.host, 'facebook.net')) {
    if (endsWith(url, 'fbevents.js')) return loader('meta', 'fbevents', null);
    if (endsWith(url, 'fbds.js', 'fp.js')) return loader('meta', 'fbds', null);
    if (/\/(?:sdk|all|xfbml\.customerchat)(?:\/\w+)?\.js$/.test(url.path)) return loader('other', 'facebook_sdk', null);
    return null;
  }
  if (isSameOrSubdomain(url.host, 'facebook.com')) {
    if (url.host.startsWith('graph.'))
      return url.path.endsWith('/events') ? { kind: 'beacon', vendor: 'meta', api: 'graph' } : null;
    if (url.path === '/tr' || url.path === '/tr/') return { kind: 'beacon', vendor: 'meta', api: 'pixel' };
    if (endsWith(url, 'offsite_event.php')) return { kind: 'beacon', vendor: 'meta', api: 'offsite' };
    return null;
  }
  return endsWith(url, 'fbds.js') ? loader('meta', 'fbds', null, false) : null;
}

function google(url: LooseUrl): KnownUrl | null {
  const { host, path } = url;
  if (isSameOrSubdomain(host, 'googletagmanager.com')) {
    // Some site copiers add a four-digit checksum and a file extension to the URL.
    if (/^\/gtm[0-9a-f]{0,4}\.(?:js|html)$/.test(path))
      return loader('gtm', 'gtm', googleId(url), true, url.params.get('l') ?? 'dataLayer');
    if (/^\/gtag\/js(?:[0-9a-f]{4})?(?:\.html)?$/.test(path))
      return loader('google', 'gtag', googleId(url), true, url.params.get('l') ?? 'dataLayer');
    return path === '/ns.html' ? { kind: 'frame', id: googleId(url) } : null;
  }
  if (isSameOrSubdomain(host, 'google-analytics.com') || isSameOrSubdomain(host, 'stats.g.doubleclick.net')) {
    if (endsWith(url, 'analytics.js', 'analytics_debug.js') || path.startsWith('/plugins/ua/'))
      return loader('google', 'analytics', null);
    if (endsWith(url, 'ga.js', 'dc.js') || path.startsWith('/plugins/ga/')) return loader('google', 'ga', null);
    if (endsWith(url, 'urchin.js')) return loader('google', 'urchin', null);
    if (path === '/mp/collect') return { kind: 'beacon', vendor: 'google', api: 'measurement_protocol' };
    if (/^\/(?:r\/|j\/)?collect$/.test(path)) {
      const old = url.params.get('v') === '1' && (url.params.get('tid') ?? '').startsWith('UA-');
      return { kind: 'beacon', vendor: 'google', api: old ? 'collect_v1' : 'collect' };
    }
    return path === '/g/collect' ? { kind: 'beacon', vendor: 'google', api: 'collect' } : null;
  }
  if (isSameOrSubdomain(host, 'googleoptimize.com')) return loader('google', 'optimize', googleId(url));
  if (isSameOrSubdomain(host, 'googleadservices.com') && /\/conversion(?:_async)?\.js$/.test(path))
    return loader('google', 'conversion', null);
  if (
    path.includes('/viewthroughconversion/') &&
    (isSameOrSubdomain(host, 'doubleclick.net') || isSameOrSubdomain(host, 'googleadservices.com'))
  ) {
    return { kind: 'beacon', vendor: 'google', api: 'viewthrough' };
  }
  if (
    isSameOrSubdomain(host, 'google.com') ||
    isSameOrSubdomain(host, 'doubleclick.net') ||
    isSameOrSubdomain(host, 'googlesyndication.com')
  )
    return null;
  return firstParty(url);
}

/**
 * Recognizes a Google library on a host that doesn't belong to Google, such as a server container, a tag gateway, or a
 * host that serves a copy of the file.
 */
function firstParty(url: LooseUrl): KnownUrl | null {
  const id = googleId(url);
  const known = id !== null && GOOGLE_ID.test(id);
  if (known && id.startsWith('GTM-')) {
    const isFrame = url.path.endsWith('/ns.html');
    return isFrame ? { kind: 'frame', id } : loader('gtm', 'gtm', id, false, url.params.get('l') ?? 'dataLayer');
  }
  if (known && /^(?:G|GT|AW)-/.test(id)) return loader('google', 'gtag', id, false, url.params.get('l') ?? 'dataLayer');
  if (endsWith(url, 'gtm.js')) return loader('gtm', 'gtm', null, false);
  return endsWith(url, 'gtag/js') ? loader('google', 'gtag', null, false) : null;
}

/** Other vendors: host, vendor, a function that extracts the ID from the URL, and the path of an ad pixel's library. */
const OTHERS: readonly (readonly [string, Vendor, (url: LooseUrl) => string | null, RegExp | null])[] = [
  ...AD_PIXELS.flatMap(({ vendor, library: { hosts, path, idIn } }) =>
    hosts.map(
      host =>
        [
          host,
          vendor,
          (url: LooseUrl) => (idIn && (url.params.get(idIn.parameter) ?? idIn.path?.exec(url.path)?.[1])) ?? null,
          path,
        ] as const,
    ),
  ),
  ['clarity.ms', 'microsoft', url => /\/tag\/(\w{6,14})$/.exec(url.path)?.[1] ?? null, null],
  ['static.hotjar.com', 'hotjar', url => /\/hotjar-(\d{5,9})\.js$/.exec(url.path)?.[1] ?? null, null],
];

/**
 * Returns information about the tag that a URL belongs to, or `null` if the URL doesn't belong to a known tag.
 *
 * @example recognizeUrl(looseUrl('//connect.facebook.net/en_US/fbds.js')) // { kind: 'loader', vendor: 'meta', library: 'fbds', … }
 */
export function recognizeUrl(url: LooseUrl): KnownUrl | null {
  const known = meta(url) ?? google(url);
  if (known) return known;
  const other = OTHERS.find(([domain]) => isSameOrSubdomain(url.host, domain));
  if (!other || !/\.js$|\/tag\//.test(url.path)) return null;
  const [, vendor, idOf, library] = other;
  return loader(vendor, library?.test(url.path) ? 'ad_pixel' : 'other', idOf(url));
}

const HOSTS: readonly (readonly [string, Vendor])[] = [
  ['facebook.net', 'meta'],
  ['facebook.com', 'meta'],
  ...['googletagmanager.com', 'google-analytics.com', 'googleadservices.com', 'doubleclick.net'].map(
    host => [host, 'google'] as const,
  ),
  ...OTHERS.map(([host, vendor]) => [host, vendor] as const),
];

/** Returns the vendor that a host belongs to, or `null` if the host doesn't belong to a known vendor. */
export const vendorOfHost = (host: string): Vendor | null =>
  HOSTS.find(([domain]) => isSameOrSubdomain(host, domain))?.[1] ?? null;

/** Returns whether a script is a vendor's own code, which is the same for every shop. */
export const isVendorCode = (url: LooseUrl): boolean =>
  [
    'facebook.net',
    'googletagmanager.com',
    'google-analytics.com',
    'googleadservices.com',
    'doubleclick.net',
    ...AD_PIXELS.flatMap(({ library }) => library.hosts),
  ].some(domain => isSameOrSubdomain(url.host, domain)) || /\/shopifycloud\/|\/s\/trekkie/.test(url.path);

/**
 * Returns whether a script is a vendor's own code, which is the same for every shop.
 *
 * @example isVendorScript('https://connect.facebook.net/en_US/fbevents.js') // true
 */
export const isVendorScript = (url: string): boolean => isVendorCode(looseUrl(url));
