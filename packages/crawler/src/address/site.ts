import { getDomain } from 'tldts';

/**
 * The site that a URL belongs to: its registrable domain, where each shop of a shared host counts as its own. The key to
 * count visits by, and what makes a script the shop's own.
 *
 * @example siteOf(new URL('https://www.shop.example/a')) // 'shop.example'
 * @example siteOf(new URL('https://x.myshopify.com/')) // 'x.myshopify.com'
 */
export function siteOf(url: URL): string {
  return getDomain(url.hostname, { allowPrivateDomains: true }) ?? url.hostname;
}
