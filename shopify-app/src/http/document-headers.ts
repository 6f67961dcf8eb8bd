import { randomBytes } from 'node:crypto';

/** A text that only the scripts of one document know. */
export const newNonce = (): string => randomBytes(16).toString('base64');

/**
 * Who may show a page in a frame: Shopify's admin for this shop, or nobody. Shopify's package would believe the address
 * about the shop, and lets in hosts that only Shopify's own people use.
 *
 * @param shop `some-name.myshopify.com`, as Shopify vouched for it, or null
 */
export const frameAncestors = (shop: string | null): string =>
  `frame-ancestors ${shop === null ? "'none'" : `https://${shop} https://admin.shopify.com`}`;

/**
 * The headers of a document: who may show it, which scripts run, and that nobody keeps a copy.
 *
 * @example
 * documentHeaders(headers, { shop: 'some-name.myshopify.com', nonce });
 */
export function documentHeaders(
  headers: Headers,
  { shop, nonce }: { readonly shop: string | null; readonly nonce: string },
): void {
  const scripts = `script-src 'self' 'nonce-${nonce}' https://cdn.shopify.com`;
  headers.set('Content-Security-Policy', `${frameAncestors(shop)}; ${scripts}; object-src 'none'; base-uri 'none'`);
  headers.set('Content-Type', 'text/html; charset=utf-8');
  if (shop) headers.set('Link', '<https://cdn.shopify.com/shopifycloud/app-bridge.js>; rel="preload"; as="script"');
}
