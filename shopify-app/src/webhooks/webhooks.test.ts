import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { API_SECRET } from '../../stand-in/admin/tokens.ts';
import { type Beside, startBeside } from '../../test/beside.ts';
import { API_VERSION, createApp } from '../app.ts';
import { redactJob } from './redact-job.ts';
import { topics } from './topics.ts';

const APP = join(import.meta.dirname, '../..');

let beside: Beside;
beforeAll(async () => {
  beside = await startBeside({ jobsAtOnce: 0 });
});
afterAll(() => beside.close());

async function installed(): Promise<string> {
  const domain = await beside.newShop();
  await beside.store.shops.install(domain, { scopes: ['read_products', 'read_themes'] });
  return domain;
}
const jobsOf = async (domain: string) =>
  (await beside.store.shop(domain).jobs.list({ limit: 50 })).map(({ kind, key, payload, state }) => ({
    ...{ kind, key, payload, state },
  }));
/** Does the jobs of this file's own kind as a worker would. */
async function redact(domain: string): Promise<unknown> {
  const app = createApp({ config: beside.config, store: beside.store, clock: Date.now });
  const job = (await beside.store.jobs.claim('test', ['redact'], 60_000))!;
  expect(job.domain).toBe(domain);
  const merchant = { ...app.merchantBehind(domain), shop: job.shop };
  const result = await redactJob.run({ job, merchant, signal: new AbortController().signal, report: () => {} });
  if ((await job.heartbeat()) === 'held') await job.complete(result);
  return result;
}
const publish = { id: 7, name: 'Dawn', role: 'main' };

describe('a webhook', () => {
  it('is taken when its signature is true, and calls for its job', async () => {
    const domain = await installed();
    expect(await beside.webhook('themes/publish', domain, publish)).toBe(200);
    expect(await jobsOf(domain)).toEqual([
      { kind: 'scan', key: '', payload: { trigger: 'theme_published' }, state: 'queued' },
    ]);
  });

  it('is refused when its signature is another’s, missing, or of another body', async () => {
    const domain = await installed();
    expect(await beside.webhook('themes/publish', domain, publish, { forged: true })).toBe(401);
    expect(await beside.webhook('themes/publish', domain, publish, { without: 'X-Shopify-Hmac-Sha256' })).toBe(401);
    expect(await send(domain, { body: '{"id":8}', signed: '{"id":7}' })).toBe(401);
    expect(await send(domain, { body: '', signed: '' })).toBe(401);
    expect(await send(domain, { body: '{"id":7}', signed: '{"id":7}', hmac: 'not base64!' })).toBe(401);
    expect(await jobsOf(domain)).toEqual([]);
  });

  it.each(['X-Shopify-Topic', 'X-Shopify-Shop-Domain', 'X-Shopify-API-Version', 'X-Shopify-Webhook-Id'])(
    'is refused without %s',
    async header => {
      const domain = await installed();
      expect(await beside.webhook('themes/publish', domain, publish, { without: header })).toBe(400);
    },
  );

  it('is refused when what is signed is no JSON, or names another shop than its header', async () => {
    const domain = await installed();
    expect(await send(domain, { body: 'no JSON', signed: 'no JSON' })).toBe(400);
    expect(await send('not-a-shop.example', { body: '{}', signed: '{}' })).toBe(400);
    expect(await beside.webhook('app/uninstalled', domain, { myshopify_domain: 'other.myshopify.com' })).toBe(400);
    expect(await beside.webhook('shop/redact', domain, { shop_domain: 'other.myshopify.com' })).toBe(400);
    expect(await beside.store.shop(domain).record()).toMatchObject({ uninstalledAt: null });
  });

  it('is a POST', async () => {
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
      expect((await beside.ask('/webhooks', { method })).status).toBe(405);
    }
  });

  it('does its work once, however often it is delivered', async () => {
    const domain = await installed();
    const statuses = await Promise.all(
      Array.from({ length: 8 }, () => beside.webhook('themes/publish', domain, publish, { eventId: 'one' })),
    );
    expect(statuses).toEqual(Array(8).fill(200));
    const shop = beside.store.shop(domain);
    await shop.jobs.cancel();
    expect(await beside.webhook('themes/publish', domain, publish, { eventId: 'one' })).toBe(200);
    expect(await jobsOf(domain)).toMatchObject([{ state: 'cancelled' }]);
    expect(await beside.webhook('themes/publish', domain, publish, { eventId: 'two' })).toBe(200);
    expect(await jobsOf(domain)).toHaveLength(2);
  });

  it('of a topic that is not known yet is sent again by Shopify', async () => {
    expect(await beside.webhook('orders/create', await installed(), {})).toBe(404);
  });

  it('for a shop that is not there changes nothing, and is not sent again', async () => {
    const domain = await beside.newShop();
    const scopes = { previous: [], current: ['read_products'] };
    for (const [topic, payload] of [
      ['app/uninstalled', {}],
      ['app/scopes_update', scopes],
      ['themes/publish', publish],
      ['shop/redact', {}],
    ] as const) {
      expect(await beside.webhook(topic, domain, payload)).toBe(200);
    }
    expect(await beside.store.shop(domain).record()).toBeNull();
    expect(await jobsOf(domain)).toEqual([]);
  });

  it('asks nothing of Shopify, whose tokens may be dead by then', async () => {
    const domain = await beside.newShop();
    beside.standIn.tokens.expiresIn = 100;
    await beside.visit(domain);
    beside.standIn.tokens.expiresIn = 3_600;
    const asked = beside.tokensAsked(domain);
    expect(await beside.webhook('themes/publish', domain, publish)).toBe(200);
    expect(beside.tokensAsked(domain)).toBe(asked);
  });
});

describe('products and stock', () => {
  it('say where to look, once for each product', async () => {
    const domain = await installed();
    for (const topic of ['products/create', 'products/update', 'products/delete']) {
      expect(await beside.webhook(topic, domain, { id: 632910392 })).toBe(200);
    }
    expect(await beside.webhook('inventory_items/update', domain, { id: 808950810 })).toBe(200);
    const productId = 'gid://shopify/Product/632910392';
    const inventoryItemId = 'gid://shopify/InventoryItem/808950810';
    expect(await jobsOf(domain)).toEqual([
      { kind: 'product', key: inventoryItemId, payload: { inventoryItemId }, state: 'queued' },
      { kind: 'product', key: productId, payload: { productId }, state: 'queued' },
    ]);
  });

  it('wake the catalog that waits for a bulk operation', async () => {
    const domain = await installed();
    const shop = beside.store.shop(domain);
    const { job } = await shop.jobs.enqueue({ kind: 'catalog', runAt: Date.now() + 3_600_000 });
    const payload = { admin_graphql_api_id: 'gid://shopify/BulkOperation/1', status: 'completed' };
    expect(await beside.webhook('bulk_operations/finish', domain, payload)).toBe(200);
    expect((await shop.jobs.get(job.id))!.runAt).toBeLessThanOrEqual(Date.now());
    expect(await jobsOf(domain)).toHaveLength(1);
  });
});

describe('what the merchant changed', () => {
  it('is known: scopes, the shop itself, its domains', async () => {
    const domain = await installed();
    const current = ['read_products', 'read_themes', 'write_inventory'];
    expect(await beside.webhook('app/scopes_update', domain, { previous: [], current })).toBe(200);
    const profile = { name: 'Shop', iana_timezone: 'Asia/Tokyo', domain: 'www.shop.example', primary_locale: 'ja' };
    expect(await beside.webhook('shop/update', domain, { ...profile, myshopify_domain: domain })).toBe(200);
    expect(await beside.webhook('domains/update', domain, { id: 1, host: 'new.shop.example' })).toBe(200);
    expect(await beside.store.shop(domain).record()).toMatchObject({
      ...{ name: 'Shop', timeZone: 'Asia/Tokyo', primaryHost: 'www.shop.example', locale: 'ja', scopes: current },
    });
    expect(await jobsOf(domain)).toMatchObject([{ kind: 'scan' }]);
  });
});

describe('a shop that removes the app', () => {
  it('is without tokens and jobs at once, and a second telling changes nothing', async () => {
    const domain = await beside.newShop();
    await beside.visit(domain);
    const shop = beside.store.shop(domain);
    const triggeredAt = new Date(Date.now() + 10).toISOString();
    expect(await beside.webhook('app/uninstalled', domain, { myshopify_domain: domain }, { triggeredAt })).toBe(200);
    expect(await shop.sessions.list()).toEqual([]);
    expect((await jobsOf(domain)).map(({ state }) => state)).toEqual(['cancelled', 'cancelled']);
    const before = await shop.record();
    expect(await beside.webhook('app/uninstalled', domain, { myshopify_domain: domain })).toBe(200);
    expect(await shop.record()).toEqual(before);
  });

  it('keeps the app when the news is older than the installation that followed', async () => {
    const domain = await beside.newShop();
    const triggeredAt = new Date(Date.now() - 60_000).toISOString();
    await beside.visit(domain);
    expect(await beside.webhook('app/uninstalled', domain, { myshopify_domain: domain }, { triggeredAt })).toBe(200);
    const shop = beside.store.shop(domain);
    expect(await shop.record()).toMatchObject({ uninstalledAt: null });
    expect(await shop.sessions.list()).toHaveLength(1);
  });

  it('is erased when Shopify asks for it, and no other shop with it', async () => {
    const [gone, other] = [await beside.newShop(), await beside.newShop()];
    for (const domain of [gone, other]) {
      await beside.visit(domain);
      await beside.webhook('products/update', domain, { id: 1 });
    }
    const [own, others] = [await rowsOf(gone), await rowsOf(other)];
    expect(own.length).toBeGreaterThan(5);
    await beside.webhook('app/uninstalled', gone, { myshopify_domain: gone });
    expect(await beside.webhook('shop/redact', gone, { shop_domain: gone })).toBe(200);
    expect(await redact(gone)).toEqual({ erased: true });
    expect(await rowsOf(gone)).toEqual([]);
    expect(await rowsOf(other)).toEqual(others);
  });

  it('is not erased when it has come back, also where our own notes missed that', async () => {
    const [noted, missed] = [await beside.newShop(), await beside.newShop()];
    for (const domain of [noted, missed]) await beside.visit(domain);
    await beside.webhook('app/uninstalled', noted, { myshopify_domain: noted });
    await beside.visit(noted);
    for (const domain of [noted, missed]) {
      expect(await beside.webhook('shop/redact', domain, { shop_domain: domain })).toBe(200);
      expect(await redact(domain)).toEqual({ erased: false });
      expect(await beside.store.shop(domain).record()).toMatchObject({ uninstalledAt: null });
    }
  });

  it('is erased although the news that it left was lost', async () => {
    const domain = await beside.newShop();
    await beside.visit(domain);
    beside.standIn.tokens.revoke(domain);
    expect(await beside.webhook('shop/redact', domain, { shop_domain: domain })).toBe(200);
    expect(await redact(domain)).toEqual({ erased: true });
    expect(await rowsOf(domain)).toEqual([]);
  });
});

describe('customers', () => {
  it('are answered for: nothing is kept of them, and only the number of the request is logged', async () => {
    const domain = await installed();
    const customer = { id: 191167, email: 'john@example.com', phone: '555-625-1199' };
    const asked = { shop_domain: domain, customer, orders_requested: [299938], data_request: { id: 99 } };
    const erased = { shop_domain: domain, customer, orders_to_redact: [299938] };
    expect(await beside.webhook('customers/data_request', domain, asked)).toBe(200);
    expect(await beside.webhook('customers/redact', domain, erased)).toBe(200);
    const log = beside.lines.join('');
    expect(log).toContain('"request":99');
    expect(log + (await rowsOf(domain)).join('')).not.toMatch(/john|191167|625-1199|299938/);
  });
});

describe('shopify.app.toml', () => {
  const subscription = z.object({
    topics: z.array(z.string()).default([]),
    compliance_topics: z.array(z.string()).default([]),
    uri: z.literal('/webhooks'),
    include_fields: z.array(z.string()).optional(),
  });
  const { webhooks, access_scopes } = z
    .object({
      access_scopes: z.object({ scopes: z.string(), optional_scopes: z.array(z.string()) }),
      webhooks: z.object({ api_version: z.string(), subscriptions: z.array(subscription) }),
    })
    .parse(parse(readFileSync(join(APP, 'shopify.app.toml'), 'utf8')));

  it('asks for the topics that there is code for, and no others', () => {
    const declared = webhooks.subscriptions.flatMap(one => [...one.topics, ...one.compliance_topics]);
    expect(declared.sort()).toEqual(topics.map(({ topic }) => topic).sort());
  });

  it('has the privacy topics where Shopify looks for them', () => {
    expect(webhooks.subscriptions.flatMap(one => one.compliance_topics).sort()).toEqual([
      'customers/data_request',
      'customers/redact',
      'shop/redact',
    ]);
  });

  it('is described in the README, topic for topic and scope for scope', () => {
    const readme = readFileSync(join(APP, 'README.md'), 'utf8');
    const scopes = [...access_scopes.scopes.split(','), ...access_scopes.optional_scopes];
    for (const name of [...topics.map(({ topic }) => topic), ...scopes]) expect(readme).toContain(`\`${name}\``);
  });

  it('names the version that the code is written for', () => {
    expect(webhooks.api_version).toBe(API_VERSION);
  });

  it('keeps updated_at wherever it leaves fields out, else two changes look like one', () => {
    for (const { include_fields } of webhooks.subscriptions) {
      if (include_fields) expect(include_fields).toContain('updated_at');
    }
  });
});

/** A webhook that the stand-in would not send. */
async function send(domain: string, { body, signed, hmac }: { body: string; signed: string; hmac?: string }) {
  const headers = {
    'Content-Type': 'application/json',
    'X-Shopify-Topic': 'themes/publish',
    'X-Shopify-Shop-Domain': domain,
    'X-Shopify-API-Version': API_VERSION,
    'X-Shopify-Webhook-Id': 'w',
    'X-Shopify-Hmac-Sha256': hmac ?? createHmac('sha256', API_SECRET).update(signed).digest('base64'),
  };
  return (await beside.ask('/webhooks', { method: 'POST', headers, body })).status;
}

/** Everything that is kept of a shop, a line each. */
async function rowsOf(domain: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of beside.store.shop(domain).export()) lines.push(line);
  return lines;
}
