import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { API_SECRET } from '@compliance/fake-shopify';
import { parse } from 'smol-toml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type AppHarness, startAppHarness } from '../../test/harness.ts';
import { API_VERSION, createApp } from '../context/app.ts';
import { redactJob } from './redact-job.ts';
import { webhookTopics } from './topics.ts';

const APP = join(import.meta.dirname, '../..');

let harness: AppHarness;
beforeAll(async () => {
  harness = await startAppHarness({ jobsAtOnce: 0 });
});
afterAll(() => harness.close());

async function installed(): Promise<string> {
  const domain = await harness.newShop();
  await harness.store.shops.install(domain, { scopes: ['read_products', 'read_themes'] });
  return domain;
}
const jobsOf = async (domain: string) =>
  (await harness.store.shop(domain).jobs.list({ limit: 50 })).map(({ kind, key, payload, state }) => ({
    ...{ kind, key, payload, state },
  }));
/** Runs a redact job as a worker does. */
async function redact(domain: string): Promise<unknown> {
  const app = createApp({ config: harness.config, store: harness.store, clock: Date.now });
  const job = (await harness.store.jobs.claim('test', ['redact'], 60_000))!;
  expect(job.domain).toBe(domain);
  const merchant = { ...app.offlineContext(domain), shop: job.shop };
  const result = await redactJob.run({ job, merchant, signal: new AbortController().signal, report: () => {} });
  if ((await job.heartbeat()) === 'held') await job.complete(result);
  return result;
}
const publish = { id: 7, name: 'Dawn', role: 'main' };

describe('webhook endpoint', () => {
  it('accepts a webhook with a valid signature and enqueues its job', async () => {
    const domain = await installed();
    expect(await harness.webhook('themes/publish', domain, publish)).toBe(200);
    expect(await jobsOf(domain)).toEqual([
      { kind: 'scan', key: '', payload: { trigger: 'theme_published' }, state: 'queued' },
    ]);
  });

  it('rejects a webhook if the signature is missing or wrong, or if the body was changed', async () => {
    const domain = await installed();
    expect(await harness.webhook('themes/publish', domain, publish, { forged: true })).toBe(401);
    expect(await harness.webhook('themes/publish', domain, publish, { without: 'X-Shopify-Hmac-Sha256' })).toBe(401);
    expect(await send(domain, { body: '{"id":8}', signed: '{"id":7}' })).toBe(401);
    expect(await send(domain, { body: '', signed: '' })).toBe(401);
    expect(await send(domain, { body: '{"id":7}', signed: '{"id":7}', hmac: 'not base64!' })).toBe(401);
    expect(await jobsOf(domain)).toEqual([]);
  });

  it.each(['X-Shopify-Topic', 'X-Shopify-Shop-Domain', 'X-Shopify-API-Version', 'X-Shopify-Webhook-Id'])(
    'rejects a webhook without %s',
    async header => {
      const domain = await installed();
      expect(await harness.webhook('themes/publish', domain, publish, { without: header })).toBe(400);
    },
  );

  it('rejects a webhook with a body that isn’t JSON, an invalid shop domain, or different shops in the body and header', async () => {
    const domain = await installed();
    expect(await send(domain, { body: 'no JSON', signed: 'no JSON' })).toBe(400);
    expect(await send('not-a-shop.example', { body: '{}', signed: '{}' })).toBe(400);
    expect(await harness.webhook('app/uninstalled', domain, { myshopify_domain: 'other.myshopify.com' })).toBe(400);
    expect(await harness.webhook('shop/redact', domain, { shop_domain: 'other.myshopify.com' })).toBe(400);
    expect(await harness.store.shop(domain).record()).toMatchObject({ uninstalledAt: null });
  });

  it('accepts only POST requests to the webhook endpoint', async () => {
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
      expect((await harness.ask('/webhooks', { method })).status).toBe(405);
    }
  });

  it('enqueues an event’s job once, no matter how often Shopify delivers the event', async () => {
    const domain = await installed();
    const statuses = await Promise.all(
      Array.from({ length: 8 }, () => harness.webhook('themes/publish', domain, publish, { eventId: 'one' })),
    );
    expect(statuses).toEqual(Array(8).fill(200));
    const shop = harness.store.shop(domain);
    await shop.jobs.cancel();
    expect(await harness.webhook('themes/publish', domain, publish, { eventId: 'one' })).toBe(200);
    expect(await jobsOf(domain)).toMatchObject([{ state: 'cancelled' }]);
    expect(await harness.webhook('themes/publish', domain, publish, { eventId: 'two' })).toBe(200);
    expect(await jobsOf(domain)).toHaveLength(2);
  });

  it('responds to an unknown topic with status 404, so that Shopify retries', async () => {
    expect(await harness.webhook('orders/create', await installed(), {})).toBe(404);
  });

  it('ignores a webhook for an unknown shop without requesting a retry', async () => {
    const domain = await harness.newShop();
    const scopes = { previous: [], current: ['read_products'] };
    for (const [topic, payload] of [
      ['app/uninstalled', {}],
      ['app/scopes_update', scopes],
      ['themes/publish', publish],
      ['shop/redact', {}],
    ] as const) {
      expect(await harness.webhook(topic, domain, payload)).toBe(200);
    }
    expect(await harness.store.shop(domain).record()).toBeNull();
    expect(await jobsOf(domain)).toEqual([]);
  });

  it('doesn’t request a new token from Shopify while processing a webhook', async () => {
    const domain = await harness.newShop();
    harness.fakeShopify.tokens.expiresIn = 100;
    await harness.visit(domain);
    harness.fakeShopify.tokens.expiresIn = 3_600;
    const asked = harness.tokensAsked(domain);
    expect(await harness.webhook('themes/publish', domain, publish)).toBe(200);
    expect(harness.tokensAsked(domain)).toBe(asked);
  });
});

describe('product webhooks', () => {
  it('enqueues one refresh per product, no matter how many webhooks arrive', async () => {
    const domain = await installed();
    for (const topic of ['products/create', 'products/update', 'products/delete']) {
      expect(await harness.webhook(topic, domain, { id: 632910392 })).toBe(200);
    }
    expect(await harness.webhook('inventory_items/update', domain, { id: 808950810 })).toBe(200);
    const productId = 'gid://shopify/Product/632910392';
    const inventoryItemId = 'gid://shopify/InventoryItem/808950810';
    expect(await jobsOf(domain)).toEqual([
      { kind: 'product', key: inventoryItemId, payload: { inventoryItemId }, state: 'queued' },
      { kind: 'product', key: productId, payload: { productId }, state: 'queued' },
    ]);
  });

  it('wakes the catalog job that is waiting for a bulk operation', async () => {
    const domain = await installed();
    const shop = harness.store.shop(domain);
    const { job } = await shop.jobs.enqueue({ kind: 'catalog', runAt: Date.now() + 3_600_000 });
    const payload = { admin_graphql_api_id: 'gid://shopify/BulkOperation/1', status: 'completed' };
    expect(await harness.webhook('bulk_operations/finish', domain, payload)).toBe(200);
    expect((await shop.jobs.get(job.id))!.runAt).toBeLessThanOrEqual(Date.now());
    expect(await jobsOf(domain)).toHaveLength(1);
  });
});

describe('profile webhooks', () => {
  it('updates the scopes and shop profile, and enqueues a scan after a domain change', async () => {
    const domain = await installed();
    const current = ['read_products', 'read_themes', 'write_inventory'];
    expect(await harness.webhook('app/scopes_update', domain, { previous: [], current })).toBe(200);
    const profile = { name: 'Shop', iana_timezone: 'Asia/Tokyo', domain: 'www.shop.example', primary_locale: 'ja' };
    expect(await harness.webhook('shop/update', domain, { ...profile, myshopify_domain: domain })).toBe(200);
    expect(await harness.webhook('domains/update', domain, { id: 1, host: 'new.shop.example' })).toBe(200);
    expect(await harness.store.shop(domain).record()).toMatchObject({
      ...{ name: 'Shop', timeZone: 'Asia/Tokyo', primaryHost: 'www.shop.example', locale: 'ja', scopes: current },
    });
    expect(await jobsOf(domain)).toMatchObject([{ kind: 'scan' }]);
  });
});

describe('uninstalled shops', () => {
  it('deletes an uninstalled shop’s tokens and cancels its jobs immediately, and ignores a repeated webhook', async () => {
    const domain = await harness.newShop();
    await harness.visit(domain);
    const shop = harness.store.shop(domain);
    const triggeredAt = new Date(Date.now() + 10).toISOString();
    expect(await harness.webhook('app/uninstalled', domain, { myshopify_domain: domain }, { triggeredAt })).toBe(200);
    expect(await shop.sessions.list()).toEqual([]);
    expect((await jobsOf(domain)).map(({ state }) => state)).toEqual(['cancelled', 'cancelled']);
    const before = await shop.record();
    expect(await harness.webhook('app/uninstalled', domain, { myshopify_domain: domain })).toBe(200);
    expect(await shop.record()).toEqual(before);
  });

  it('ignores an uninstall webhook that is older than the reinstall', async () => {
    const domain = await harness.newShop();
    const triggeredAt = new Date(Date.now() - 60_000).toISOString();
    await harness.visit(domain);
    expect(await harness.webhook('app/uninstalled', domain, { myshopify_domain: domain }, { triggeredAt })).toBe(200);
    const shop = harness.store.shop(domain);
    expect(await shop.record()).toMatchObject({ uninstalledAt: null });
    expect(await shop.sessions.list()).toHaveLength(1);
  });

  it('erases a shop at Shopify’s request without changing other shops’ data', async () => {
    const [gone, other] = [await harness.newShop(), await harness.newShop()];
    for (const domain of [gone, other]) {
      await harness.visit(domain);
      await harness.webhook('products/update', domain, { id: 1 });
    }
    const [own, others] = [await rowsOf(gone), await rowsOf(other)];
    expect(own.length).toBeGreaterThan(5);
    await harness.webhook('app/uninstalled', gone, { myshopify_domain: gone });
    expect(await harness.webhook('shop/redact', gone, { shop_domain: gone })).toBe(200);
    expect(await redact(gone)).toEqual({ erased: true });
    expect(await rowsOf(gone)).toEqual([]);
    expect(await rowsOf(other)).toEqual(others);
  });

  it('keeps a reinstalled shop’s data even if the uninstall webhook was lost', async () => {
    const [noted, missed] = [await harness.newShop(), await harness.newShop()];
    for (const domain of [noted, missed]) await harness.visit(domain);
    await harness.webhook('app/uninstalled', noted, { myshopify_domain: noted });
    await harness.visit(noted);
    for (const domain of [noted, missed]) {
      expect(await harness.webhook('shop/redact', domain, { shop_domain: domain })).toBe(200);
      expect(await redact(domain)).toEqual({ erased: false });
      expect(await harness.store.shop(domain).record()).toMatchObject({ uninstalledAt: null });
    }
  });

  it('erases a shop at Shopify’s request even if the uninstall webhook was lost', async () => {
    const domain = await harness.newShop();
    await harness.visit(domain);
    harness.fakeShopify.tokens.revoke(domain);
    expect(await harness.webhook('shop/redact', domain, { shop_domain: domain })).toBe(200);
    expect(await redact(domain)).toEqual({ erased: true });
    expect(await rowsOf(domain)).toEqual([]);
  });
});

describe('customer privacy webhooks', () => {
  it('doesn’t store customer data from privacy webhooks, and logs only the request ID', async () => {
    const domain = await installed();
    const customer = { id: 191167, email: 'john@example.com', phone: '555-625-1199' };
    const asked = { shop_domain: domain, customer, orders_requested: [299938], data_request: { id: 99 } };
    const erased = { shop_domain: domain, customer, orders_to_redact: [299938] };
    expect(await harness.webhook('customers/data_request', domain, asked)).toBe(200);
    expect(await harness.webhook('customers/redact', domain, erased)).toBe(200);
    const log = harness.lines.join('');
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

  it('subscribes to exactly the topics that the app handles', () => {
    const declared = webhooks.subscriptions.flatMap(one => [...one.topics, ...one.compliance_topics]);
    expect(declared.sort()).toEqual(Object.keys(webhookTopics).sort());
  });

  it('lists the privacy topics in the compliance_topics field', () => {
    expect(webhooks.subscriptions.flatMap(one => one.compliance_topics).sort()).toEqual([
      'customers/data_request',
      'customers/redact',
      'shop/redact',
    ]);
  });

  it('declares only topics and scopes that the README describes', () => {
    const readme = readFileSync(join(APP, 'README.md'), 'utf8');
    const scopes = [...access_scopes.scopes.split(','), ...access_scopes.optional_scopes];
    for (const name of [...Object.keys(webhookTopics), ...scopes]) expect(readme).toContain(`\`${name}\``);
  });

  it('sets the webhook API version to the version that the code uses', () => {
    expect(webhooks.api_version).toBe(API_VERSION);
  });

  it('includes updated_at in every field filter, so that Shopify doesn’t merge two changes', () => {
    for (const { include_fields } of webhooks.subscriptions) {
      if (include_fields) expect(include_fields).toContain('updated_at');
    }
  });
});

/** Sends a webhook that the fake Shopify service wouldn't send. */
async function send(domain: string, { body, signed, hmac }: { body: string; signed: string; hmac?: string }) {
  const headers = {
    'Content-Type': 'application/json',
    'X-Shopify-Topic': 'themes/publish',
    'X-Shopify-Shop-Domain': domain,
    'X-Shopify-API-Version': API_VERSION,
    'X-Shopify-Webhook-Id': 'w',
    'X-Shopify-Hmac-Sha256': hmac ?? createHmac('sha256', API_SECRET).update(signed).digest('base64'),
  };
  return (await harness.ask('/webhooks', { method: 'POST', headers, body })).status;
}

/** Returns all of a shop's stored rows, one per line. */
async function rowsOf(domain: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of harness.store.shop(domain).export()) lines.push(line);
  return lines;
}
