import { getDomain } from 'tldts';

/**
 * Returns a URL's site, which is its registrable domain, or its hostname if it has no registrable domain. Each shop on
 * a shared domain, such as `myshopify.com`, is a separate site. Callers use the site to count requests per target and
 * to recognize the shop's own scripts.
 *
 * @example siteOf(new URL('https://www.shop.example/a')) // 'shop.example'
 * @example siteOf(new URL('https://x.myshopify.com/')) // 'x.myshopify.com'
 */
export function siteOf(url: URL): string {
  return getDomain(url.hostname, { allowPrivateDomains: true }) ?? url.hostname;
}
