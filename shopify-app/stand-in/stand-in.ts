import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { FetchCapture } from '@compliance/crawler';
import { createCrawler } from '@compliance/crawler';
import { certificateFor, createNetwork, type Network } from '@compliance/crawler/testing';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { AdminApi } from './admin/api.ts';
import { Faults } from './admin/fault.ts';
import { STORAGE } from './admin/resolvers.ts';
import { API_SECRET, Tokens } from './admin/tokens.ts';
import { gid, type StandInShop } from './shop/shop.ts';
import { storefront } from './shop/storefront.ts';

/** One call that the app made. */
export interface Call {
  readonly shop: string;
  readonly path: string;
  /** The operation's name, for calls of the Admin API. */
  readonly operation: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Shopify as far as the app meets it: token endpoint, Admin API, files, storefronts, webhooks. */
export interface StandIn {
  /** Where it listens, on loopback. */
  readonly url: string;
  readonly shops: Map<string, StandInShop>;
  readonly tokens: Tokens;
  readonly faults: Faults;
  readonly api: AdminApi;
  readonly calls: Call[];
  /** The crawler of production, on an internet that has only the storefronts of these shops. */
  readonly fetchCapture: FetchCapture;
  readonly network: Network;
  /** Whether merchants decline the scopes that they are asked for. */
  declinesScopes: boolean;
  /** Adds a shop, with its storefront. */
  add(shop: StandInShop): Promise<void>;
  /** Sends a webhook as Shopify does. Gives the status of the answer. */
  webhook(appUrl: string, topic: string, shop: string, payload: object, options?: WebhookOptions): Promise<number>;
  close(): Promise<void>;
}

/** How a webhook differs from a good one. */
export interface WebhookOptions {
  readonly eventId?: string;
  readonly triggeredAt?: string;
  /** Signs with another secret. */
  readonly forged?: boolean;
  /** Leaves a header out. */
  readonly without?: string;
}

/**
 * Starts the stand-in.
 *
 * @example
 * const standIn = await startStandIn([sampleShop()]);
 * wireFetch(standIn);
 */
export async function startStandIn(shops: readonly StandInShop[]): Promise<StandIn> {
  const faults = new Faults();
  const tokens = new Tokens();
  const api = new AdminApi(faults);
  const calls: Call[] = [];
  const byDomain = new Map<string, StandInShop>();
  const network = createNetwork();
  const server = serve({ fetch: admin().fetch, port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function admin(): Hono {
    const app = new Hono();
    const shopOf = (host: string | undefined) => byDomain.get(host ?? '');

    app.post('/admin/oauth/access_token', async c => {
      const shop = shopOf(c.req.header('x-standin-host'));
      if (!shop) return c.json({ errors: 'Not Found' }, 404);
      calls.push({ shop: shop.domain, path: c.req.path, operation: null, variables: {} });
      const { status, body } = await tokens.exchange(shop, await c.req.json());
      return c.json(body, status as 200);
    });

    app.post('/admin/api/:version/graphql.json', async c => {
      const shop = shopOf(c.req.header('x-standin-host'));
      if (!shop || c.req.param('version') !== '2026-10') return c.json({ errors: 'Not Found' }, 404);
      if (!tokens.knows(c.req.header('x-shopify-access-token') ?? null, shop))
        return c.json({ errors: '[API] Invalid API key or access token (unrecognized login or wrong password)' }, 401);
      const { query, variables = {} } = await c.req.json();
      const operation = /(?:query|mutation) (\w+)/.exec(query)?.[1] ?? '';
      calls.push({ shop: shop.domain, path: c.req.path, operation, variables });
      const slow = faults.take(operation, ['slow']);
      if (slow) await new Promise(done => setTimeout(done, slow.ms));
      const failed = faults.take(operation, ['status']);
      if (failed) return c.json({ errors: 'failed' }, failed.status as 500);
      if (faults.take(operation, ['broken'])) return c.body('{"data":', 200, { 'content-type': 'application/json' });
      return c.json(await api.answer(shop, query, variables));
    });

    // Shopify's file storage, which is reached without a shop's name.
    app.get('/storage/bulk/:file', async c => {
      for (const shop of byDomain.values()) {
        const lines = await api.bulkLines(shop, c.req.param('file').replace('.jsonl', ''));
        if (lines) return c.body(lines.join(''), 200, { 'content-type': 'application/jsonl' });
      }
      return c.notFound();
    });
    app.get('/storage/themes/:theme/*', c => {
      const name = decodeURIComponent(c.req.path.split('/').slice(4).join('/'));
      const theme = [...byDomain.values()]
        .flatMap(({ themes }) => themes)
        .find(({ id }) => id.endsWith(`/${c.req.param('theme')}`));
      const text = theme?.files.get(name);
      return text === undefined ? c.notFound() : c.text(text);
    });
    app.post('/storage/upload', async c => {
      const form = await c.req.formData();
      const file = form.get('file');
      const [shop] = byDomain.values();
      if (!(file instanceof Blob) || !shop) return c.text('EntityMissing', 400);
      shop.files.push({
        id: gid('GenericFile', shop.files.length + 1),
        url: `${STORAGE}/uploads/${form.get('key')}`,
        bytes: new Uint8Array(await file.arrayBuffer()),
        mimeType: file.type,
        processing: 1,
      });
      return c.body(null, 201);
    });
    return app;
  }

  const standIn: StandIn = {
    url,
    shops: byDomain,
    tokens,
    faults,
    api,
    calls,
    network,
    declinesScopes: false,
    fetchCapture: createCrawler(network.doors),
    async add(shop) {
      byDomain.set(shop.domain, shop);
      // Each name needs an address of its own: a server stands for one address and port.
      const address = `93.184.216.${40 + byDomain.size}`;
      await network.secureSite(
        shop.host,
        await certificateFor(shop.host, { trusted: true }),
        storefront(shop),
        address,
      );
    },
    async webhook(appUrl, topic, shop, payload, { eventId = randomUUID(), triggeredAt, forged, without } = {}) {
      const body = JSON.stringify(payload);
      const headers: Record<string, string> = {
        'Content-Type': 'application/json',
        'X-Shopify-Topic': topic,
        'X-Shopify-Shop-Domain': shop,
        'X-Shopify-API-Version': '2026-10',
        'X-Shopify-Webhook-Id': randomUUID(),
        'X-Shopify-Event-Id': eventId,
        'X-Shopify-Triggered-At': triggeredAt ?? new Date().toISOString(),
        'X-Shopify-Hmac-Sha256': createHmac('sha256', forged ? 'another secret' : API_SECRET)
          .update(body)
          .digest('base64'),
      };
      if (without) delete headers[without];
      return (await fetch(`${appUrl}/webhooks`, { method: 'POST', headers, body })).status;
    },
    async close() {
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
      await network.close();
    },
  };
  for (const shop of shops) await standIn.add(shop);
  return standIn;
}
