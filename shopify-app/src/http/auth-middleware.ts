import type { Merchant } from '../admin/merchant.ts';
import type { App } from '../context/app.ts';
import { frameAncestors } from './document-headers.ts';

/** Route paths that don't require authentication. Every other route requires authentication. */
const PUBLIC_PATHS: readonly string[] = ['/', '/auth/login', '/webhooks'];

/** Path prefix of the routes that admin UI extensions call from another origin. */
const EXTENSION_PATH = '/app/extension';

/** Path of the Shopify package's page that fetches a session token and then returns to the app. */
const TOKEN_PAGE = '/auth/session-token';

/** Response header that makes App Bridge retry with a fresh session token. */
const RETRY_HEADER = 'X-Shopify-Retry-Invalid-Session-Request';

/**
 * Authenticates a request. Runs the Shopify package's `authenticate.admin` before any route, so that no route can skip
 * authentication. The package's own pages bypass the error boundary and are sent unchanged.
 *
 * @returns the merchant, null for a public page, or the response to send instead
 */
export async function authenticateRequest(app: App, request: Request): Promise<Merchant | Response | null> {
  const url = new URL(request.url);
  if (PUBLIC_PATHS.includes(url.pathname)) return null;
  if (url.pathname !== TOKEN_PAGE && !isWithin(url.pathname, '/app')) return new Response('Not found', { status: 404 });
  if (redirectsAway(url, app.origin)) return new Response(null, { status: 400 });
  try {
    return await app.authenticateMerchant(request);
  } catch (answer) {
    // The Shopify package parses `host` as a URL and throws an error if the value isn't valid.
    if (answer instanceof TypeError && (answer as NodeJS.ErrnoException).code === 'ERR_INVALID_URL')
      return new Response(null, { status: 400 });
    if (!(answer instanceof Response)) throw answer;
    // Without this header, the Shopify package would let any site named in the `shop` parameter frame the token page.
    if (url.pathname === TOKEN_PAGE) answer.headers.set('Content-Security-Policy', frameAncestors(shopParameter(url)));
    return url.searchParams.has('_data') || isExtensionPath(url.pathname) ? refuseInsteadOfRedirect(answer) : answer;
  }
}

/** Returns whether a path belongs to the routes that admin UI extensions call. */
export const isExtensionPath = (path: string): boolean => isWithin(path, EXTENSION_PATH);

/** Replaces a redirect with a 401 response. Extensions and the router's data requests can't follow redirects. */
export const refuseInsteadOfRedirect = (answer: Response): Response =>
  answer.status >= 300 && answer.status < 400 ? withRetryHeader(new Response(null, { status: 401 })) : answer;

/**
 * Returns whether the token page would send the session token to another site. The token page redirects to a URL from
 * its query parameters.
 */
const redirectsAway = ({ searchParams }: URL, origin: string): boolean =>
  searchParams.getAll('shopify-reload').some(address => URL.parse(address, origin)?.origin !== origin);

/**
 * Adds the retry header to a route's 401 response, because the Shopify package doesn't. Without the header, the
 * merchant would see an error. The app has already deleted the rejected token, so it requests a new token when the
 * request is retried.
 */
export function withRetryHeader(answer: Response): Response {
  if (answer.status === 401) answer.headers.set(RETRY_HEADER, '1');
  return answer;
}

/** Returns a URL's `shop` parameter if the parameter looks like a shop domain, and otherwise null. */
function shopParameter({ searchParams }: URL): string | null {
  const shop = searchParams.get('shop') ?? '';
  return /^[a-z0-9][a-z0-9-]*\.myshopify\.com$/.test(shop) ? shop : null;
}

/** Returns whether a path is in a folder. Compares decoded paths and ignores case, as the router does. */
function isWithin(path: string, folder: string): boolean {
  try {
    const read = decodeURIComponent(path).toLowerCase();
    return read === folder || read.startsWith(`${folder}/`);
  } catch {
    return false;
  }
}
