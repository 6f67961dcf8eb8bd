/** Hosts of Shopify beside the shops' own. Everything that the app or a browser asks of them is the stand-in's to answer. */
export const HOSTS = {
  /** The admin around the app. */
  admin: 'admin.shopify.com',
  /** App Bridge, files of shops, bodies of large theme files. */
  cdn: 'cdn.shopify.com',
  /** Results of bulk operations. */
  results: 'storage.googleapis.com',
  /** Where files are uploaded to. */
  uploads: 'shopify-staged-uploads.storage.googleapis.com',
} as const;

/** The header that names the host which was meant, on the way to loopback. */
export const MEANT = 'x-standin-host';

/** Whether a host is Shopify's. Storefronts on domains of their own are not: only the crawler and shoppers go there. */
export const isShopifys = (host: string): boolean =>
  host.endsWith('.myshopify.com') || (Object.values(HOSTS) as string[]).includes(host);
