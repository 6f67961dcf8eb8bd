import { setAbstractFetchFunc } from '@shopify/shopify-api/runtime';
import { isShopifys, MEANT } from './hosts.ts';

const native = globalThis.fetch;

/**
 * Sends what this process asks of Shopify to the stand-in, lets loopback through, and refuses everything else: no test and
 * no demo leaves the machine. Gives the addresses that were refused.
 *
 * @example
 * const refused = wireFetch(standIn);
 */
export function wireFetch({ url }: { readonly url: string }): string[] {
  const refused: string[] = [];
  const wired: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const { hostname, pathname, search, origin } = new URL(request.url);
    if (hostname === '127.0.0.1' || hostname === 'localhost') return await native(input, init);
    if (!isShopifys(hostname)) {
      refused.push(`${origin}${pathname}`);
      throw new TypeError(`The stand-in refuses ${hostname}.`);
    }
    const headers = new Headers(request.headers);
    headers.set(MEANT, hostname);
    const body = ['GET', 'HEAD'].includes(request.method) ? null : await request.arrayBuffer();
    const { method, signal, redirect } = request;
    return await native(new URL(`${pathname}${search}`, url), { method, headers, body, signal, redirect });
  };
  globalThis.fetch = wired;
  // Shopify's package took the fetch that there was when it was imported.
  setAbstractFetchFunc(wired);
  return refused;
}
