import type { App } from '../app.ts';
import type { Merchant } from '../merchant.ts';

/**
 * Nobody reaches a page under `/app` whom Shopify does not vouch for: the real `authenticate.admin` runs here, before any
 * route, so that no route can forget it and its pages are sent as they are instead of through an error boundary.
 *
 * @returns the merchant, null where none is needed, or the answer that Shopify's package gave instead
 */
export async function admit(app: App, request: Request): Promise<Merchant | Response | null> {
  const { pathname, searchParams } = new URL(request.url);
  const isAuth = pathname.startsWith('/auth/') && pathname !== '/auth/login';
  if (!isAuth && pathname !== '/app' && !pathname.startsWith('/app/')) return null;
  try {
    return await app.merchantOf(request);
  } catch (answer) {
    if (!(answer instanceof Response)) throw answer;
    // The router's own requests cannot follow a redirect to another site; App Bridge asks again with a fresh token.
    if (searchParams.has('_data') && answer.status >= 300 && answer.status < 400)
      return new Response(null, { status: 401, headers: { 'X-Shopify-Retry-Invalid-Session-Request': '1' } });
    return answer;
  }
}
