import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  API_KEY,
  API_SECRET,
  embeddedAppUrl,
  emptyShop,
  type FakeShopify,
  idToken,
  startFakeShopify,
  wireFetch,
} from '@compliance/fake-shopify';
import { openShopStore, type ShopStore } from '@compliance/store/shop';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BROWSER } from '../../test/harness.ts';
import { AdminApiError } from '../admin/admin.ts';
import { shopContext } from '../admin/operations/shop-context.ts';
import { type App, createApp } from '../context/app.ts';
import { createSeal } from './seal.ts';
import { createSessionStorage } from './storage.ts';

const config = {
  apiKey: API_KEY,
  apiSecret: API_SECRET,
  appUrl: 'https://app.example',
  tokenKeys: [Buffer.alloc(32, 1)],
};

let fakeShopify: FakeShopify;
let store: ShopStore;
let dataDir: string;
let app: App;
let domain: string;
let shops = 0;

beforeAll(async () => {
  fakeShopify = await startFakeShopify([]);
  wireFetch(fakeShopify);
  dataDir = await mkdtemp(join(tmpdir(), 'shopify-app-'));
  store = await openShopStore({ dataDir, clock: Date.now });
  app = createApp({ config, store, clock: Date.now });
});
beforeEach(async () => {
  Object.assign(fakeShopify.tokens, { expiresIn: 3_600, deadRefresh: false, withoutExpiry: false });
  const shop = emptyShop(`shop-${++shops}`);
  await fakeShopify.add(shop);
  domain = shop.domain;
});
afterAll(async () => {
  await store.close();
  await fakeShopify.close();
  await rm(dataDir, { recursive: true });
});

const storage = () => createSessionStorage(store, createSeal(config.tokenKeys), Date.now);
const session = async () => (await storage().loadSession(`offline_${domain}`))!;
const tokensAsked = () =>
  fakeShopify.calls.filter(call => call.shop === domain && /access_token/.test(call.path)).length;
/** Opens the app as the merchant. */
const visit = async () =>
  await app.authenticateMerchant(new Request(await embeddedAppUrl(config.appUrl, domain), { headers: BROWSER }));
const ask = (through = app) => through.offlineContext(domain).admin.run(shopContext, {});
const faultOf = async (asked: Promise<unknown>) => {
  const error = await asked.catch(error => error);
  expect(error).toBeInstanceOf(AdminApiError);
  return (error as AdminApiError).fault;
};

describe('offline tokens', () => {
  it('renews an offline token a few minutes before it expires, and only once for concurrent callers', async () => {
    fakeShopify.tokens.expiresIn = 200;
    await visit();
    fakeShopify.tokens.expiresIn = 3_600;
    const { accessToken } = await session();
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask()));
    expect(answers).toHaveLength(10);
    expect(tokensAsked()).toBe(2);
    const renewed = await session();
    expect(renewed.accessToken).not.toBe(accessToken);
    expect(renewed.refreshToken).toMatch(/^shprt_/);
    await ask();
    expect(tokensAsked()).toBe(2);
  });

  it('uses an offline token that another process renewed first', async () => {
    fakeShopify.tokens.expiresIn = 200;
    await visit();
    fakeShopify.tokens.expiresIn = 3_600;
    const before = await session();
    const other = createApp({ config, store, clock: Date.now });
    await ask(other);
    const after = await session();
    // This process loaded the session before the other process updated it. The old refresh token has already been used.
    let reads = 0;
    const stale = new Proxy(store, {
      get: (target, name) =>
        name !== 'sessions'
          ? Reflect.get(target, name)
          : { ...target.sessions, get: async (id: string) => (reads++ === 0 ? sealed : await target.sessions.get(id)) },
    });
    const sealed = {
      id: before.id,
      shop: domain,
      sealed: createSeal(config.tokenKeys).seal(JSON.stringify(before.toPropertyArray(true)), before.id),
    };
    fakeShopify.tokens.deadRefresh = true;
    await ask(createApp({ config, store: stale, clock: Date.now }));
    expect((await session()).accessToken).toBe(after.accessToken);
  });

  it('replaces an unexpired offline token that Shopify rejects', async () => {
    await visit();
    const refused = await session();
    refused.accessToken = 'shpat_of_another_time';
    await storage().storeSession(refused);
    expect((await ask()).shop.name).toBe(domain.replace('.myshopify.com', ''));
    expect(tokensAsked()).toBe(2);
  });

  it('reports a revoked token until the merchant’s next visit if the refresh token is no longer valid', async () => {
    fakeShopify.tokens.expiresIn = 200;
    await visit();
    fakeShopify.tokens.deadRefresh = true;
    expect(await faultOf(ask())).toBe('revoked');
    await store.shop(domain).setNeedsReopening(true);
    fakeShopify.tokens.expiresIn = 3_600;
    await visit();
    expect(await store.shop(domain).record()).toMatchObject({ needsReopeningAt: null });
    await ask();
  });

  it('reports a revoked token until the merchant’s next visit if Shopify also rejects the replacement token', async () => {
    await visit();
    fakeShopify.tokens.revoke(domain);
    expect(await faultOf(ask())).toBe('revoked');
    await visit();
    await ask();
  });

  it('reports a revoked token if the shop doesn’t have a session', async () => {
    expect(await faultOf(ask())).toBe('revoked');
    expect(tokensAsked()).toBe(0);
  });

  it('doesn’t report a revoked token if Shopify is down, throttles the app, or has frozen the store', async () => {
    fakeShopify.tokens.expiresIn = 200;
    await visit();
    const native = globalThis.fetch;
    const { setAbstractFetchFunc } = await import('@shopify/shopify-api/runtime');
    const down: [string, typeof fetch][] = [
      ['unavailable', async () => new Response('<html>Maintenance</html>', { status: 503 })],
      ['unavailable', async () => Promise.reject(new TypeError('fetch failed'))],
      ['throttled', async () => Response.json({ errors: 'Too many' }, { status: 429 })],
      ['frozen', async () => Response.json({ errors: 'Unavailable Shop' }, { status: 402 })],
    ];
    try {
      for (const [fault, answer] of down) {
        setAbstractFetchFunc(answer);
        expect(await faultOf(ask())).toBe(fault);
      }
    } finally {
      setAbstractFetchFunc(native);
    }
    await ask();
  });

  it('sets a token’s lifetime to one hour if Shopify doesn’t specify a lifetime', async () => {
    fakeShopify.tokens.withoutExpiry = true;
    await visit();
    const lives = (await session()).expires!.getTime() - Date.now();
    expect(lives).toBeGreaterThan(3_590_000);
    expect(lives).toBeLessThanOrEqual(3_600_000);
  });
});

describe('merchants with a revoked token', () => {
  const open = async (headers: Record<string, string> = {}) => {
    const address = headers.Authorization
      ? `${config.appUrl}/app?_data=x`
      : await embeddedAppUrl(config.appUrl, domain);
    return await app.authenticateMerchant(new Request(address, { headers: { ...BROWSER, ...headers } }));
  };

  it('redirects a page request with a revoked token to /auth/session-token, and responds to a data request with status 401', async () => {
    const document = await open();
    const data = await open({ Authorization: `Bearer ${await idToken(domain)}` });
    fakeShopify.tokens.revoke(domain);
    const answer = await document.admin.run(shopContext, {}).catch(error => error);
    expect(answer).toBeInstanceOf(Response);
    expect([answer.status, answer.headers.get('Location')]).toEqual([
      302,
      expect.stringMatching(/^\/auth\/session-token/),
    ]);
    expect((await data.admin.run(shopContext, {}).catch(error => error)).status).toBe(401);
    await (await open()).admin.run(shopContext, {});
  });
});

describe('stored sessions', () => {
  it('never stores a token in plain text', async () => {
    await visit();
    const [row] = await store.shop(domain).sessions.list();
    const { accessToken, refreshToken } = await session();
    for (const token of [accessToken!, refreshToken!]) expect(JSON.stringify(row)).not.toContain(token);
  });

  it('treats a session as missing when its encryption key is lost', async () => {
    await visit();
    const other = createSessionStorage(store, createSeal([Buffer.alloc(32, 2)]), Date.now);
    expect(await other.loadSession(`offline_${domain}`)).toBeUndefined();
    expect(await other.findSessionsByShop!(domain)).toEqual([]);
    const lost = createApp({ config: { ...config, tokenKeys: [Buffer.alloc(32, 2)] }, store, clock: Date.now });
    expect(await faultOf(ask(lost))).toBe('revoked');
  });

  it('returns a stored session until it is deleted', async () => {
    await visit();
    const kept = await session();
    expect((await storage().findSessionsByShop!(domain)).map(({ id }) => id)).toEqual([kept.id]);
    expect(kept).toMatchObject({ shop: domain, isOnline: false, scope: 'read_products,read_themes' });
    await storage().deleteSession(kept.id);
    expect(await storage().loadSession(kept.id)).toBeUndefined();
  });
});
