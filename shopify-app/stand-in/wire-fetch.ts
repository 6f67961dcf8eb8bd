import { setAbstractFetchFunc } from '@shopify/shopify-api/runtime';
import { STORAGE } from './admin/resolvers.ts';
import type { StandIn } from './stand-in.ts';

const native = globalThis.fetch;

/**
 * Sends what this process asks of Shopify to the stand-in, lets loopback through, and refuses everything else: no test and
 * no demo leaves the machine. Gives the addresses that were refused.
 *
 * @example
 * const refused = wireFetch(standIn);
 */
export function wireFetch({ url }: Pick<StandIn, 'url'>): string[] {
  const refused: string[] = [];
  const wired: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const { hostname, pathname, search, href } = new URL(request.url);
    if (hostname === '127.0.0.1' || hostname === 'localhost') return await native(input, init);
    const isStorage = href.startsWith(STORAGE);
    if (!isStorage && !hostname.endsWith('.myshopify.com')) {
      refused.push(href);
      throw new TypeError(`The stand-in refuses ${hostname}.`);
    }
    const path = isStorage ? `/storage${pathname.slice(new URL(STORAGE).pathname.length)}` : pathname;
    const headers = new Headers(request.headers);
    headers.set('x-standin-host', hostname);
    const body = ['GET', 'HEAD'].includes(request.method) ? null : await request.arrayBuffer();
    return await native(new URL(`${path}${search}`, url), {
      method: request.method,
      headers,
      body,
      signal: request.signal,
    });
  };
  globalThis.fetch = wired;
  // Shopify's package took the fetch that there was when it was imported.
  setAbstractFetchFunc(wired);
  return refused;
}
