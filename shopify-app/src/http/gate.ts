import type { App } from '../app.ts';
import type { Merchant } from '../merchant.ts';
import { frameAncestors } from './document-headers.ts';

/** Pages that anybody may ask for. What is not named here is behind the gate, or not there. */
const OPEN: readonly string[] = ['/', '/auth/login', '/webhooks'];

/** Where Shopify's package serves a page that fetches a session token and comes back. */
const BOUNCE = '/auth/session-token';

/** Tells App Bridge to ask once more with a fresh session token. */
const RETRY = 'X-Shopify-Retry-Invalid-Session-Request';

/**
 * Nobody reaches a page under `/app` whom Shopify does not vouch for: the real `authenticate.admin` runs here, before any
 * route, so that no route can forget it and its pages are sent as they are instead of through an error boundary.
 *
 * @returns the merchant, null for a page that is open to all, or the answer to give instead
 */
export async function admit(app: App, request: Request): Promise<Merchant | Response | null> {
  const url = new URL(request.url);
  if (OPEN.includes(url.pathname)) return null;
  if (url.pathname !== BOUNCE && !isWithin(url.pathname, '/app')) return new Response('Not found', { status: 404 });
  if (leadsAway(url, app.origin)) return new Response(null, { status: 400 });
  try {
    return await app.merchantOf(request);
  } catch (answer) {
    // Shopify's package reads `host` as an address, and throws when it is none.
    if (answer instanceof TypeError && (answer as NodeJS.ErrnoException).code === 'ERR_INVALID_URL')
      return new Response(null, { status: 400 });
    if (!(answer instanceof Response)) throw answer;
    // The package would let whatever the address names show its page.
    if (url.pathname === BOUNCE) answer.headers.set('Content-Security-Policy', frameAncestors(shopIn(url)));
    // The router's own requests cannot follow a redirect to another site.
    if (url.searchParams.has('_data') && answer.status >= 300 && answer.status < 400)
      return retried(new Response(null, { status: 401 }));
    return answer;
  }
}

/** Whether the page that fetches a session token would bring it to another site: it goes on to wherever its address says. */
const leadsAway = ({ searchParams }: URL, origin: string): boolean =>
  searchParams.getAll('shopify-reload').some(address => URL.parse(address, origin)?.origin !== origin);

/**
 * The answer of a route for which Shopify had refused the shop's token. The token is forgotten by now, so the same request
 * will bring another; Shopify's package leaves it at that, and the merchant would see an error.
 */
export function retried(answer: Response): Response {
  if (answer.status === 401) answer.headers.set(RETRY, '1');
  return answer;
}

/** The shop that an address names, when it has the form of one. */
function shopIn({ searchParams }: URL): string | null {
  const shop = searchParams.get('shop') ?? '';
  return /^[a-z0-9][a-z0-9-]*\.myshopify\.com$/.test(shop) ? shop : null;
}

/** As the router reads a path: decoded, whatever the case. */
function isWithin(path: string, folder: string): boolean {
  try {
    const read = decodeURIComponent(path).toLowerCase();
    return read === folder || read.startsWith(`${folder}/`);
  } catch {
    return false;
  }
}
