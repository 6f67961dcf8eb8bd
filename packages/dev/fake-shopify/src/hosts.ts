/** Shopify hosts other than shop domains. The fake Shopify handles all requests to these hosts. */
export const HOSTS = {
  /** Host for the Shopify admin, which embeds the app. */
  admin: 'admin.shopify.com',
  /** Host for the iframes that run admin UI extensions. */
  extensions: 'extensions.shopifycdn.com',
  /** Host for App Bridge, shop files, and the bodies of large theme files. */
  cdn: 'cdn.shopify.com',
  /** Host for bulk operation results. */
  results: 'storage.googleapis.com',
  /** Host for upload targets. */
  uploads: 'shopify-staged-uploads.storage.googleapis.com',
} as const;

/** Header that contains the original host of a request that is routed to loopback. */
export const TARGET_HOST_HEADER = 'x-fake-shopify-host';

/**
 * Returns whether a host belongs to Shopify. Returns false for custom storefront domains, which only the crawler and
 * shoppers use.
 */
export const isShopifyHost = (host: string): boolean =>
  host.endsWith('.myshopify.com') || (Object.values(HOSTS) as string[]).includes(host);
