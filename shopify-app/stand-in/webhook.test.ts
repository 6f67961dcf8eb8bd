import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { merchantOf } from './acts.ts';
import { API_SECRET } from './admin/tokens.ts';
import { asApp } from './as-app.ts';
import { sampleShop } from './shop/samples.ts';
import { type StandIn, startStandIn } from './stand-in.ts';

const domain = 'sample-shop.myshopify.com';
let standIn: StandIn;
let server: Server;
let appUrl: string;
let got: { path: string; headers: IncomingHttpHeaders; body: string }[];
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks = await request.toArray();
    got.push({ path: request.url!, headers: request.headers, body: Buffer.concat(chunks).toString() });
    response.writeHead(got.length > 1 ? 503 : 200).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  appUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(async () => {
  got = [];
  standIn = await startStandIn([sampleShop()]);
  return () => standIn.close();
});
afterAll(() => void server.close());

const isSigned = ({ headers, body }: (typeof got)[number]) =>
  headers['x-shopify-hmac-sha256'] === createHmac('sha256', API_SECRET).update(body).digest('base64');

describe('a webhook', () => {
  it('is signed over its body and says what, of whom, and when', async () => {
    expect(await standIn.webhook(appUrl, 'themes/publish', domain, { id: 101 })).toBe(200);
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

  it('gives the status of the answer', async () => {
    await standIn.webhook(appUrl, 'shop/update', domain, {});
    expect(await standIn.webhook(appUrl, 'shop/update', domain, {})).toBe(503);
  });

  it.each([
    ['forged', { forged: true }],
    ['changed on its way', { changed: true }],
    ['not signed', { without: 'X-Shopify-Hmac-Sha256' }],
  ])('can be %s', async (_, options) => {
    await standIn.webhook(appUrl, 'shop/update', domain, { name: 'x' }, options);
    expect(isSigned(got[0]!)).toBe(false);
    expect(JSON.parse(got[0]!.body)).toEqual({ name: 'x' });
  });

  it('comes twice as the same event, or without a header', async () => {
    for (const without of [undefined, 'X-Shopify-Topic'])
      await standIn.webhook(appUrl, 'shop/update', domain, {}, { eventId: 'same', ...(without && { without }) });
    expect(got.map(({ headers }) => headers['x-shopify-event-id'])).toEqual(['same', 'same']);
    expect(got[1]!.headers).not.toHaveProperty('x-shopify-topic');
  });
});

describe('a merchant', () => {
  const topics = () => got.map(({ headers }) => headers['x-shopify-topic']);

  it('uninstalls the app: its token is worth nothing, its scopes are gone, and it is told', async () => {
    const app = asApp(standIn, domain);
    expect((await app.graphql('{ shop { name } }')).status).toBe(200);
    const merchant = merchantOf(standIn, domain, appUrl);
    await merchant.uninstall();
    expect((await app.graphql('{ shop { name } }')).status).toBe(401);
    expect(topics()).toEqual(['app/uninstalled']);
    merchant.reinstall();
    const again = await asApp(standIn, domain).graphql('{ currentAppInstallation { accessScopes { handle } } }');
    expect(again.data.currentAppInstallation.accessScopes).toHaveLength(2);
  });

  it('grants and takes back scopes, publishes themes, changes and deletes products', async () => {
    const merchant = merchantOf(standIn, domain, appUrl);
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
    const shop = standIn.shops.get(domain)!;
    expect(shop.products.map(({ title }) => title)).toContain('Renamed');
    expect(shop.products).toHaveLength(39);
    expect(shop.themes.map(({ role }) => role)).toEqual(['UNPUBLISHED', 'MAIN']);
  });

  it('changes a theme file without a word', async () => {
    merchantOf(standIn, domain, appUrl).editThemeFile('layout/theme.liquid', text => `${text}<!-- more -->`);
    expect(got).toEqual([]);
  });
});
