const host = 'www.googletagmanager.com';

/**
 * Returns whether a URL is on Google's tag host, which serves Tag Manager containers (`gtm.js`) and Google tags
 * (`gtag/js`).
 */
export const isGoogleTag = (url: URL): boolean => url.hostname === host;

/**
 * Returns the URL of a Tag Manager container or a Google tag.
 *
 * @example googleTagUrl('GTM-ABC123').href // 'https://www.googletagmanager.com/gtm.js?id=GTM-ABC123'
 */
export const googleTagUrl = (id: string): URL =>
  new URL(`https://${host}/${id.startsWith('GTM-') ? 'gtm.js' : 'gtag/js'}?id=${encodeURIComponent(id)}`);
