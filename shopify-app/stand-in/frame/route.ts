import type { BrowserContext, Route } from 'playwright-core';
import { HOSTS, MEANT } from '../hosts.ts';
import type { StandIn } from '../stand-in.ts';
import { adminPages } from './admin-pages.ts';

/** Arguments that a browser needs to let a page of Shopify frame an app on loopback. */
export const BROWSER_ARGS = ['--disable-features=LocalNetworkAccessChecks'];

/** A browser without a name that it knows is a robot to Shopify's package. */
export const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/**
 * Lets the stand-in answer for Shopify's hosts in a browser, and refuses every other host but loopback. Gives the addresses
 * that were refused, which grows.
 *
 * @example
 * const context = await open();
 * const refused = await routeStandIn(context, standIn, app.url);
 * await page.goto('https://admin.shopify.com/store/sample-shop');
 */
export async function routeStandIn(context: BrowserContext, standIn: StandIn, appUrl: string): Promise<string[]> {
  const refused: string[] = [];
  standIn.serveAdmin(adminPages(standIn, { appUrl }));
  await context.route('**/*', async route => {
    const request = route.request();
    const { hostname, host, pathname, search, protocol } = new URL(request.url());
    if (hostname === 'localhost' || hostname === '127.0.0.1' || protocol === 'data:') {
      const isTop = request.isNavigationRequest() && request.frame().parentFrame() === null;
      return isTop ? await visitApp(route) : await route.continue();
    }
    if (host !== HOSTS.admin && host !== HOSTS.cdn) {
      refused.push(request.url());
      return await route.abort();
    }
    const body = request.postDataBuffer();
    const answer = await fetch(`${standIn.url}${pathname}${search}`, {
      method: request.method(),
      headers: { ...(await request.allHeaders()), [MEANT]: host },
      redirect: 'manual',
      ...(body && { body: new Uint8Array(body) }),
    });
    await route.fulfill({
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: Buffer.from(await answer.arrayBuffer()),
    });
  });
  return refused;
}

/** An app that is opened by itself leads into the admin. Browsers do not route what they are redirected to: a script goes on. */
async function visitApp(route: Route): Promise<void> {
  const answer = await route.fetch({ maxRedirects: 0 });
  const { location } = answer.headers();
  if (!location?.startsWith(`https://${HOSTS.admin}/`)) return await route.fulfill({ response: answer });
  const body = `<script>location.replace(${JSON.stringify(location).replaceAll('<', '\\u003c')})</script>`;
  return await route.fulfill({ contentType: 'text/html', body });
}
