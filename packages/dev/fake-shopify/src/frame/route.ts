import type { BrowserContext, Route } from 'playwright-core';
import type { FakeShopify } from '../fake-shopify.ts';
import { HOSTS, TARGET_HOST_HEADER } from '../hosts.ts';
import { type AdminOptions, adminPages } from './admin-pages.ts';

/** Browser arguments that allow a Shopify page to embed an app that is served on loopback. */
export const BROWSER_ARGS = ['--disable-features=LocalNetworkAccessChecks'];

/** Browser user agent. The Shopify package treats visitors with an unknown user agent as bots. */
export const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/**
 * Routes a browser's requests for the Shopify admin, extensions, and CDN to the fake Shopify, and blocks every other
 * host except loopback. Returns the list of blocked URLs, which grows as requests are blocked.
 *
 * @example
 * const context = await open();
 * const blocked = await routeFakeShopify(context, fakeShopify, app.url);
 * await page.goto('https://admin.shopify.com/store/sample-shop');
 */
export async function routeFakeShopify(
  context: BrowserContext,
  fakeShopify: FakeShopify,
  appUrl: string,
  options: Omit<AdminOptions, 'appUrl'> = {},
): Promise<string[]> {
  const blocked: string[] = [];
  fakeShopify.serveAdmin(adminPages(fakeShopify, { ...options, appUrl }));
  await context.route('**/*', async route => {
    const request = route.request();
    const { hostname, host, pathname, search, protocol } = new URL(request.url());
    if (hostname === 'localhost' || hostname === '127.0.0.1' || protocol === 'data:') {
      const isTop = request.isNavigationRequest() && request.frame().parentFrame() === null;
      return isTop ? await visitApp(route) : await route.continue();
    }
    if (host !== HOSTS.admin && host !== HOSTS.cdn && host !== HOSTS.extensions) {
      blocked.push(request.url());
      return await route.abort();
    }
    const body = request.postDataBuffer();
    const answer = await fetch(`${fakeShopify.url}${pathname}${search}`, {
      method: request.method(),
      headers: { ...(await request.allHeaders()), [TARGET_HOST_HEADER]: host },
      redirect: 'manual',
      ...(body && { body: new Uint8Array(body) }),
    });
    await route.fulfill({
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: Buffer.from(await answer.arrayBuffer()),
    });
  });
  return blocked;
}

/**
 * Opens the app outside the admin. If the app redirects to the admin, a script performs the redirect, because
 * Playwright doesn't route redirect targets.
 */
async function visitApp(route: Route): Promise<void> {
  const answer = await route.fetch({ maxRedirects: 0 });
  const { location } = answer.headers();
  if (!location?.startsWith(`https://${HOSTS.admin}/`)) return await route.fulfill({ response: answer });
  const body = `<script>location.replace(${JSON.stringify(location).replaceAll('<', '\\u003c')})</script>`;
  return await route.fulfill({ contentType: 'text/html', body });
}
