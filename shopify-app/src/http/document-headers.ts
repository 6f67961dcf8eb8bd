import { randomBytes } from 'node:crypto';

/** Returns a random nonce for the scripts in a single document. */
export const newNonce = (): string => randomBytes(16).toString('base64');

/**
 * Returns the `frame-ancestors` directive, which allows only this shop's Shopify admin, or no site if the shop is null.
 * By contrast, the Shopify package's directive would accept any `shop` parameter in the URL and also allow hosts that
 * only Shopify staff use.
 *
 * @param shop valid shop domain, such as `some-name.myshopify.com`, or null
 */
export const frameAncestors = (shop: string | null): string =>
  `frame-ancestors ${shop === null ? "'none'" : `https://${shop} https://admin.shopify.com`}`;

/**
 * Sets a document's content security policy and content type, and preloads App Bridge if the shop is known.
 *
 * @example
 * documentHeaders(headers, { shop: 'some-name.myshopify.com', nonce });
 */
export function documentHeaders(
  headers: Headers,
  { shop, nonce }: { readonly shop: string | null; readonly nonce: string },
): void {
  const scripts = `script-src 'self' 'nonce-${nonce}' https://cdn.shopify.com`;
  const images = "img-src 'self' data: https://cdn.shopify.com";
  const policy = `${frameAncestors(shop)}; ${scripts}; ${images}; object-src 'none'; base-uri 'none'`;
  headers.set('Content-Security-Policy', policy);
  headers.set('Content-Type', 'text/html; charset=utf-8');
  if (shop) headers.set('Link', '<https://cdn.shopify.com/shopifycloud/app-bridge.js>; rel="preload"; as="script"');
}
