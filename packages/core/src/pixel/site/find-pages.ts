import { type PageElement, parsePage } from '../html/page.ts';
import { type LooseUrl, looseUrl } from '../html/url.ts';
import type { Capture } from '../model/capture.ts';
import type { SitePageType } from './page-type.ts';

/**
 * URL of one page of each type, or null if the searched page doesn't link to a page of that type. The URLs of the
 * collection, cart, and search pages are never null.
 */
export type SiteLinks = Readonly<Record<Exclude<SitePageType, 'home'>, string | null>>;

/** Hostname, possibly in a non-Latin script. */
const HOST = /^[\p{L}\p{N}.-]+$/u;
/** Maximum length of a link. The crawler doesn't fetch longer URLs. */
const MAX_URL = 2_048;

/**
 * Path prefix of a locale or market: a language, an optional script, and an optional country
 * (https://help.shopify.com/en/manual/international/managing/subfolders).
 */
const LOCALE_ROOT = /^(\/[a-z]{2}(?:-(?:hans|hant))?(?:-[a-z]{2})?)(?=\/|$)/i;
/** Path of a Shopify page, without its locale prefix. */
const STOREFRONT_PATH = /^\/(?:collections|products|pages|blogs|cart|search|policies)(?:\/|$)/;

/** Path patterns for the page types that are found through links, with a rank for each pattern. */
const PATTERNS = [
  { type: 'product', pattern: /^(?:\/collections\/[^/]+)?(\/products\/(?![^/]*gift-card)[^/]+)\/?$/, rank: 0 },
  // Gift cards have their own template.
  { type: 'product', pattern: /^(?:\/collections\/[^/]+)?(\/products\/[^/]+)\/?$/, rank: 1 },
  // Shopify uses the names `vendors` and `types` for filtered lists.
  { type: 'collection', pattern: /^(\/collections\/(?!(?:all|vendors|types)\/?$)[^/]+)\/?$/, rank: 0 },
  { type: 'blog', pattern: /^(\/blogs\/[^/]+\/(?!tagged\/?$)[^/]+)\/?$/, rank: 0 },
  // A list of articles, but not the Atom feed.
  { type: 'blog', pattern: /^(\/blogs\/(?![^/]*\.atom\/?$)[^/]+)\/?$/, rank: 1 },
] as const;
/** Number added to the rank of a link to a page in another locale. */
const OTHER_LOCALE = 10;

/** The parts of an element that make it a link. */
type LinkElement = Pick<PageElement, 'tag' | 'attributes'>;

/** Best link found so far for a page type: the first link with the lowest rank. */
interface Best {
  readonly url: string;
  readonly rank: number;
}

/**
 * Finds one page of each type from the links on a storefront page. The same page always produces the same result: a
 * link to one of the `preferred` URLs always takes precedence, and of several equally suitable links, the first one is
 * chosen.
 *
 * - Collections, products, and blog pages must be on the page's own host. Links in the page's locale are chosen first.
 *   Product URLs are shortened to `/products/…`, and query strings are removed.
 * - Every Shopify store has `/cart`, `/search`, and `/collections/all`, so these pages don't need a link. If the page
 *   links to another collection, that collection is chosen instead of `/collections/all`.
 * - The second locale comes from a `<link>` with `hreflang` or, on the same host, from a link with a locale prefix.
 * Only a `<link>` with `hreflang` can point to another host, such as a country domain. The locale URL is always the URL
 * of a home page, so a malicious page can't choose which path on another host is fetched.
 *
 * The page is untrusted. The function doesn't fetch anything, and its running time is linear in the page's length.
 *
 * @param page captured page to search for links: the home page or, to find a product, a collection page
 * @param preferred URLs to choose if they are linked, such as the pages in a baseline
 * @example findSitePages({ html: '<a href="/products/mug">', finalUrl: 'https://shop.example/' }).product // 'https://shop.example/products/mug'
 */
export function findSitePages(page: Pick<Capture, 'html' | 'finalUrl'>, preferred: readonly string[] = []): SiteLinks {
  return choosePages(parsePage(page.html).elements, page.finalUrl, preferred);
}

/**
 * Finds one page of each type from the links in a browser's document, in the same way as {@link findSitePages}. Unlike
 * a captured page, the document also contains links that scripts add.
 *
 * @param hrefs values of the links' `href` attributes, in page order
 * @example findLinkedPages(['/products/mug'], 'https://shop.example/').product // 'https://shop.example/products/mug'
 */
export const findLinkedPages = (hrefs: readonly string[], pageUrl: string): SiteLinks =>
  choosePages(
    hrefs.map(href => ({ tag: 'a', attributes: new Map([['href', href]]) })),
    pageUrl,
    [],
  );

function choosePages(elements: Iterable<LinkElement>, pageUrl: string, preferred: readonly string[]): SiteLinks {
  const home = looseUrl(pageUrl);
  const origin = originOf(pageUrl);
  const root = localeRoot(home.path);
  const wanted = new Set(preferred);
  const best = new Map<SitePageType, Best>();
  const offer = (type: SitePageType, url: string, rank: number): void => {
    const known = best.get(type);
    const better = wanted.has(url) ? -1 : rank;
    if (!known || better < known.rank) best.set(type, { url, rank: better });
  };
  for (const element of elements) {
    const link = linkOf(element, home);
    if (!link) continue;
    const prefix = localeRoot(link.path);
    const path = link.path.slice(prefix.length);
    const isHere = link.host === home.host;
    const otherLocale = prefix.toLowerCase() !== root.toLowerCase();
    if (element.tag === 'link') {
      const differs = isHere ? otherLocale : withoutWww(link.host) !== withoutWww(home.host);
      const target = isHere ? origin : `${schemeOf(origin)}//${link.host}`;
      if (differs && (path === '' || path === '/')) offer('locale', target + (prefix || '/'), isHere ? 0 : 2);
      continue;
    }
    if (!isHere) continue;
    if (otherLocale && prefix !== '' && (path === '' || path === '/' || STOREFRONT_PATH.test(path)))
      offer('locale', origin + prefix, 1);
    for (const { type, pattern, rank } of PATTERNS) {
      const [, found] = pattern.exec(path) ?? [];
      if (found) offer(type, origin + prefix + found, rank + (otherLocale ? OTHER_LOCALE : 0));
    }
  }
  const here = origin + root;
  return {
    collection: best.get('collection')?.url ?? `${here}/collections/all`,
    product: best.get('product')?.url ?? null,
    cart: `${here}/cart`,
    search: `${here}/search?q=gift`,
    blog: best.get('blog')?.url ?? null,
    locale: best.get('locale')?.url ?? null,
  };
}

/**
 * Returns the home page URL for a storefront URL, in the storefront URL's locale.
 *
 * @param url absolute HTTP or HTTPS URL
 * @example siteHomeUrl('https://shop.example/fr-ca/products/mug?v=1') // 'https://shop.example/fr-ca'
 */
export function siteHomeUrl(url: string): string {
  return originOf(url) + (localeRoot(looseUrl(url).path) || '/');
}

/** Returns a path's locale prefix, such as `/fr-ca`, or an empty string. */
const localeRoot = (path: string): string => LOCALE_ROOT.exec(path)?.[1] ?? '';
const originOf = (url: string): string => /^https?:\/\/[^/?#]+/i.exec(url)?.[0] ?? '';
const schemeOf = (origin: string): string => origin.slice(0, origin.indexOf(':') + 1);
const withoutWww = (host: string): string => host.replace(/^www\./, '');

/** Returns the host and path of a link to a page or of a `<link>` with `hreflang`, or null for every other element. */
function linkOf({ tag, attributes }: LinkElement, page: LooseUrl): { host: string; path: string } | null {
  if (tag !== 'a' && tag !== 'link') return null;
  if (tag === 'link') {
    const language = attributes.get('hreflang')?.trim().toLowerCase() ?? '';
    const rel = attributes.get('rel')?.toLowerCase().split(/\s+/) ?? [];
    if (language === '' || language === 'x-default' || !rel.includes('alternate')) return null;
  }
  const href = attributes.get('href')?.trim() ?? '';
  if (href === '' || href.startsWith('#') || href.length > MAX_URL) return null;
  const { host, path } = looseUrl(href);
  if (host !== '') return HOST.test(host) ? { host, path } : null;
  const folder = page.path.slice(0, page.path.lastIndexOf('/') + 1);
  return { host: page.host, path: path.startsWith('/') ? path : folder + path };
}
