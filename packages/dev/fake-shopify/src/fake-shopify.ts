import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createCrawler, type FetchCapture } from '@compliance/crawler';
import { certificateFor, createNetwork, type Network, unlimitedRate } from '@compliance/crawler/testing';
import { getRequestListener, serve } from '@hono/node-server';
import type { Hono } from 'hono';
import { AdminApi } from './admin/api.ts';
import { Faults } from './admin/fault.ts';
import { FakeTokens } from './admin/tokens.ts';
import type { RecordedCall } from './calls.ts';
import { TARGET_HOST_HEADER } from './hosts.ts';
import { type FakeState, shopifyHosts } from './http/shopify.ts';
import type { FakeShop } from './shop/shop.ts';
import { sendWebhook, type WebhookOptions } from './webhook.ts';

/** Simulated Shopify services that the app uses: token endpoint, Admin API, files, storefronts, and webhooks. */
export interface FakeShopify {
  /** Loopback URL of the fake Shopify. */
  readonly url: string;
  readonly shops: Map<string, FakeShop>;
  readonly tokens: FakeTokens;
  readonly faults: Faults;
  readonly api: AdminApi;
  /** All calls from the app, the crawler, and the browser, in order. */
  readonly calls: RecordedCall[];
  /** Production crawler, connected to a network that contains only the fake shops' storefronts. */
  readonly fetchCapture: FetchCapture;
  readonly network: Network;
  /** Adds a shop and its storefront. */
  add(shop: FakeShop): Promise<void>;
  /** Serves the admin pages on the hosts for the admin and extensions. */
  serveAdmin(pages: Hono): void;
  /** Sends a webhook as Shopify does. Returns the response status. */
  webhook(appUrl: string, topic: string, shop: string, payload: object, options?: WebhookOptions): Promise<number>;
  close(): Promise<void>;
}

/**
 * Starts a fake Shopify.
 *
 * @example
 * const fakeShopify = await startFakeShopify([sampleShop()]);
 * wireFetch(fakeShopify);
 */
export async function startFakeShopify(
  shops: readonly FakeShop[],
  { clock = Date.now, port = 0 }: { readonly clock?: () => number; readonly port?: number } = {},
): Promise<FakeShopify> {
  const faults = new Faults();
  const tokens = new FakeTokens(clock);
  const api = new AdminApi(faults, clock);
  const byDomain = new Map<string, FakeShop>();
  const state: FakeState = { shops: byDomain, tokens, api, faults, calls: [], adminPages: null };
  const hosts = shopifyHosts(state);
  const network = createNetwork();
  const server = serve({ fetch: hosts.fetch, port, hostname: '127.0.0.1' });
  await once(server, 'listening', { signal: AbortSignal.timeout(10_000) });

  /** Returns a listener that serves a storefront host to the crawler, which opens its own TLS sockets. */
  const listener = (host: string) =>
    getRequestListener((request, env) => {
      const meant = new Request(request, {
        headers: { ...Object.fromEntries(request.headers), [TARGET_HOST_HEADER]: host },
      });
      return hosts.fetch(meant, env);
    });

  const crawl = createCrawler(network.transport);
  const fakeShopify: FakeShopify = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    shops: byDomain,
    tokens,
    faults,
    api,
    calls: state.calls,
    network,
    // Remove the rate limit, because tests scan a shop far more often than the production service does.
    fetchCapture: (url, options) => crawl(url, { ...options, targetRate: unlimitedRate }),
    async add(shop) {
      byDomain.set(shop.domain, shop);
      for (const host of [shop.host, shop.domain]) {
        // Use a separate IP address for each host, because a server is bound to one address and port.
        const address = `93.184.216.${40 + network.names.size}`;
        await network.secureSite(host, await certificateFor(host, { trusted: true }), listener(host), address);
      }
    },
    serveAdmin(pages) {
      state.adminPages = pages;
    },
    webhook: sendWebhook,
    async close() {
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
      await network.close();
    },
  };
  for (const shop of shops) await fakeShopify.add(shop);
  return fakeShopify;
}
