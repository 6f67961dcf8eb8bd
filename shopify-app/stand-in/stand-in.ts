import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createCrawler, type FetchCapture } from '@compliance/crawler';
import { certificateFor, createNetwork, type Network } from '@compliance/crawler/testing';
import { getRequestListener, serve } from '@hono/node-server';
import type { Hono } from 'hono';
import { AdminApi } from './admin/api.ts';
import { Faults } from './admin/fault.ts';
import { Tokens } from './admin/tokens.ts';
import type { Call } from './calls.ts';
import { MEANT } from './hosts.ts';
import { type Behind, shopifyHosts } from './http/shopify.ts';
import type { StandInShop } from './shop/shop.ts';
import { sendWebhook, type WebhookOptions } from './webhook.ts';

/** Shopify as far as the app meets it: token endpoint, Admin API, files, storefronts, webhooks. */
export interface StandIn {
  /** Where it listens, on loopback. */
  readonly url: string;
  readonly shops: Map<string, StandInShop>;
  readonly tokens: Tokens;
  readonly faults: Faults;
  readonly api: AdminApi;
  /** Every call of the app, the crawler and the browser, in order. */
  readonly calls: Call[];
  /** The crawler of production, on an internet that has only the storefronts of these shops. */
  readonly fetchCapture: FetchCapture;
  readonly network: Network;
  /** Adds a shop, with its storefront. */
  add(shop: StandInShop): Promise<void>;
  /** Puts the admin's pages behind their host. */
  serveAdmin(pages: Hono): void;
  /** Sends a webhook as Shopify does. Gives the status of the answer. */
  webhook(appUrl: string, topic: string, shop: string, payload: object, options?: WebhookOptions): Promise<number>;
  close(): Promise<void>;
}

/**
 * Starts the stand-in.
 *
 * @example
 * const standIn = await startStandIn([sampleShop()]);
 * wireFetch(standIn);
 */
export async function startStandIn(
  shops: readonly StandInShop[],
  { clock = Date.now, port = 0 }: { readonly clock?: () => number; readonly port?: number } = {},
): Promise<StandIn> {
  const faults = new Faults();
  const tokens = new Tokens(clock);
  const api = new AdminApi(faults, clock);
  const byDomain = new Map<string, StandInShop>();
  const behind: Behind = { shops: byDomain, tokens, api, faults, calls: [], adminPages: null };
  const hosts = shopifyHosts(behind);
  const network = createNetwork();
  const server = serve({ fetch: hosts.fetch, port, hostname: '127.0.0.1' });
  await once(server, 'listening');

  /** The same hosts for the crawler, which dials sockets of its own and speaks TLS. */
  const listener = (host: string) =>
    getRequestListener((request, env) => {
      const meant = new Request(request, { headers: { ...Object.fromEntries(request.headers), [MEANT]: host } });
      return hosts.fetch(meant, env);
    });

  const standIn: StandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    shops: byDomain,
    tokens,
    faults,
    api,
    calls: behind.calls,
    network,
    fetchCapture: createCrawler(network.doors),
    async add(shop) {
      byDomain.set(shop.domain, shop);
      for (const host of [shop.host, shop.domain]) {
        // Each name needs an address of its own: a server stands for one address and port.
        const address = `93.184.216.${40 + network.names.size}`;
        await network.secureSite(host, await certificateFor(host, { trusted: true }), listener(host), address);
      }
    },
    serveAdmin(pages) {
      behind.adminPages = pages;
    },
    webhook: sendWebhook,
    async close() {
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
      await network.close();
    },
  };
  for (const shop of shops) await standIn.add(shop);
  return standIn;
}
