import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { API_SECRET } from './admin/tokens.ts';
import { appClient } from './app-client.ts';
import { type FakeShopify, startFakeShopify } from './fake-shopify.ts';
import { merchantActions } from './merchant-actions.ts';
import { sampleShop } from './shop/samples.ts';

const domain = 'sample-shop.myshopify.com';
let fakeShopify: FakeShopify;
let server: Server;
let appUrl: string;
let got: { path: string; headers: IncomingHttpHeaders; body: string }[];
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks = await request.toArray();
    got.push({ path: request.url!, headers: request.headers, body: Buffer.concat(chunks).toString() });
    response.writeHead(got.length > 1 ? 503 : 200).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening', { signal: AbortSignal.timeout(10_000) });
  appUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(async () => {
  got = [];
  fakeShopify = await startFakeShopify([sampleShop()]);
  return () => fakeShopify.close();
});
afterAll(() => void server.close());

const isSigned = ({ headers, body }: (typeof got)[number]) =>
  headers['x-shopify-hmac-sha256'] === createHmac('sha256', API_SECRET).update(body).digest('base64');

describe('the webhook sender', () => {
  it('signs a webhook and includes its topic, shop, and time', async () => {
    expect(await fakeShopify.webhook(appUrl, 'themes/publish', domain, { id: 101 })).toBe(200);
    const [sent] = got;
    expect(isSigned(sent!)).toBe(true);
    expect(sent).toMatchObject({
      path: '/webhooks',
      body: '{"id":101}',
      headers: {
        'x-shopify-topic': 'themes/publish',
        'x-shopify-shop-domain': domain,
        'x-shopify-api-version': '2026-10',
        'x-shopify-triggered-at': expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        'x-shopify-event-id': expect.stringMatching(/^[\da-f-]{36}$/),
        'x-shopify-webhook-id': expect.stringMatching(/^[\da-f-]{36}$/),
      },
    });
  });

  it('returns the app’s response status', async () => {
    await fakeShopify.webhook(appUrl, 'shop/update', domain, {});
    expect(await fakeShopify.webhook(appUrl, 'shop/update', domain, {})).toBe(503);
  });

  it.each([
    ['forged', { forged: true }],
    ['changed in transit', { changed: true }],
    ['unsigned', { without: 'X-Shopify-Hmac-Sha256' }],
  ])('sends a webhook that is %s', async (_, options) => {
    await fakeShopify.webhook(appUrl, 'shop/update', domain, { name: 'x' }, options);
    expect(isSigned(got[0]!)).toBe(false);
    expect(JSON.parse(got[0]!.body)).toEqual({ name: 'x' });
  });

  it('sends the same event twice, the second time without the specified header', async () => {
    for (const without of [undefined, 'X-Shopify-Topic'])
      await fakeShopify.webhook(appUrl, 'shop/update', domain, {}, { eventId: 'same', ...(without && { without }) });
    expect(got.map(({ headers }) => headers['x-shopify-event-id'])).toEqual(['same', 'same']);
    expect(got[1]!.headers).not.toHaveProperty('x-shopify-topic');
  });
});

describe('merchant actions', () => {
  const topics = () => got.map(({ headers }) => headers['x-shopify-topic']);

  it('revokes the token and the scopes on uninstall, and sends a webhook', async () => {
    const app = appClient(fakeShopify, domain);
    expect((await app.graphql('{ shop { name } }')).status).toBe(200);
    const merchant = merchantActions(fakeShopify, domain, appUrl);
    await merchant.uninstall();
    expect((await app.graphql('{ shop { name } }')).status).toBe(401);
    expect(topics()).toEqual(['app/uninstalled']);
    merchant.reinstall();
    const again = await appClient(fakeShopify, domain).graphql(
      '{ currentAppInstallation { accessScopes { handle } } }',
    );
    expect(again.data.currentAppInstallation.accessScopes).toHaveLength(2);
  });

  it('sends webhooks for changes to scopes, themes, and products', async () => {
    const merchant = merchantActions(fakeShopify, domain, appUrl);
    await merchant.grant('write_inventory');
    await merchant.revokeScope('write_inventory');
    await merchant.publishTheme('102');
    await merchant.editProduct('Product/3', product => {
      product.title = 'Renamed';
    });
    await merchant.deleteProduct('Product/4');
    expect(topics()).toEqual([
      'app/scopes_update',
      'app/scopes_update',
      'themes/publish',
      'products/update',
      'products/delete',
    ]);
    expect(JSON.parse(got[1]!.body)).toEqual({
      previous: ['read_products', 'read_themes', 'write_inventory'],
      current: ['read_products', 'read_themes'],
    });
    const shop = fakeShopify.shops.get(domain)!;
    expect(shop.products.map(({ title }) => title)).toContain('Renamed');
    expect(shop.products).toHaveLength(39);
    expect(shop.themes.map(({ role }) => role)).toEqual(['UNPUBLISHED', 'MAIN']);
  });

  it('edits a theme file without sending a webhook', async () => {
    merchantActions(fakeShopify, domain, appUrl).editThemeFile('layout/theme.liquid', text => `${text}<!-- more -->`);
    expect(got).toEqual([]);
  });
});
