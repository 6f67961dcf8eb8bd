import { setAbstractFetchFunc } from '@shopify/shopify-api/runtime';
import { isShopifyHost, TARGET_HOST_HEADER } from './hosts.ts';

const native = globalThis.fetch;

/**
 * Routes this process's Shopify requests to the fake Shopify, allows requests to loopback, and blocks all other hosts,
 * so that tests and the demo never use the network. Returns the list of blocked URLs, which grows as requests are
 * blocked.
 *
 * @example
 * const blocked = wireFetch(fakeShopify);
 */
export function wireFetch({ url }: { readonly url: string }): string[] {
  const blocked: string[] = [];
  const wired: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const { hostname, pathname, search, origin } = new URL(request.url);
    if (hostname === '127.0.0.1' || hostname === 'localhost') return await native(input, init);
    if (!isShopifyHost(hostname)) {
      blocked.push(`${origin}${pathname}`);
      throw new TypeError(`The fake Shopify blocks requests to ${hostname}.`);
    }
    const headers = new Headers(request.headers);
    headers.set(TARGET_HOST_HEADER, hostname);
    const body = ['GET', 'HEAD'].includes(request.method) ? null : await request.arrayBuffer();
    const { method, signal, redirect } = request;
    return await native(new URL(`${pathname}${search}`, url), { method, headers, body, signal, redirect });
  };
  globalThis.fetch = wired;
  // The Shopify package keeps a reference to the `fetch` that existed when the package was imported.
  setAbstractFetchFunc(wired);
  return blocked;
}
