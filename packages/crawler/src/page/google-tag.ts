const host = 'www.googletagmanager.com';

/** Returns whether Google serves the script: a Tag Manager container (`gtm.js`) or a Google tag (`gtag/js`). */
export const isGoogleTag = (url: URL): boolean => url.hostname === host;

/**
 * Returns the URL of a Tag Manager container or a Google tag.
 *
 * @example googleTagUrl('GTM-ABC123').href // 'https://www.googletagmanager.com/gtm.js?id=GTM-ABC123'
 */
export const googleTagUrl = (id: string): URL =>
  new URL(`https://${host}/${id.startsWith('GTM-') ? 'gtm.js' : 'gtag/js'}?id=${encodeURIComponent(id)}`);
