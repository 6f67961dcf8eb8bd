import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type Store } from '@compliance/store';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { API_KEY, API_SECRET, idToken } from '../../stand-in/admin/tokens.ts';
import { addressOfApp } from '../../stand-in/frame/frame.ts';
import { emptyShop } from '../../stand-in/shop/shop.ts';
import { type StandIn, startStandIn } from '../../stand-in/stand-in.ts';
import { wireFetch } from '../../stand-in/wire-fetch.ts';
import { BROWSER } from '../../test/beside.ts';
import { AdminFailed } from '../admin/admin.ts';
import { shopContext } from '../admin/operations/shop-context.ts';
import { type App, createApp } from '../app.ts';
import { createSeal } from './seal.ts';
import { createSessionStorage } from './storage.ts';

const config = {
  apiKey: API_KEY,
  apiSecret: API_SECRET,
  appUrl: 'https://app.example',
  tokenKeys: [Buffer.alloc(32, 1)],
};

let standIn: StandIn;
let store: Store;
let dataDir: string;
let app: App;
let domain: string;
let shops = 0;

beforeAll(async () => {
  standIn = await startStandIn([]);
  wireFetch(standIn);
  dataDir = await mkdtemp(join(tmpdir(), 'shopify-app-'));
  store = await openStore({ dataDir, clock: Date.now });
  app = createApp({ config, store, clock: Date.now });
});
beforeEach(async () => {
  Object.assign(standIn.tokens, { expiresIn: 3_600, deadRefresh: false, withoutExpiry: false });
  const shop = emptyShop(`shop-${++shops}`);
  await standIn.add(shop);
  domain = shop.domain;
});
afterAll(async () => {
  await store.close();
  await standIn.close();
  await rm(dataDir, { recursive: true });
});

const storage = () => createSessionStorage(store, createSeal(config.tokenKeys), Date.now);
const session = async () => (await storage().loadSession(`offline_${domain}`))!;
const tokensAsked = () => standIn.calls.filter(call => call.shop === domain && /access_token/.test(call.path)).length;
/** The merchant opens the app. */
const visit = async () =>
  await app.merchantOf(new Request(await addressOfApp(config.appUrl, domain), { headers: BROWSER }));
const ask = (through = app) => through.merchantBehind(domain).admin.run(shopContext, {});
const faultOf = async (asked: Promise<unknown>) => {
  const error = await asked.catch(error => error);
  expect(error).toBeInstanceOf(AdminFailed);
  return (error as AdminFailed).fault;
};

describe('the token that jobs work with', () => {
  it('is renewed minutes before its end, once for all who ask at the same time', async () => {
    standIn.tokens.expiresIn = 200;
    await visit();
    standIn.tokens.expiresIn = 3_600;
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

  it('is the one that another process was quicker to renew', async () => {
    standIn.tokens.expiresIn = 200;
    await visit();
    standIn.tokens.expiresIn = 3_600;
    const before = await session();
    const other = createApp({ config, store, clock: Date.now });
    await ask(other);
    const after = await session();
    // What this process had read before the other one wrote; the old refresh token is used up by now.
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
    standIn.tokens.deadRefresh = true;
    await ask(createApp({ config, store: stale, clock: Date.now }));
    expect((await session()).accessToken).toBe(after.accessToken);
  });

  it('is replaced when Shopify refuses it before its time', async () => {
    await visit();
    const refused = await session();
    refused.accessToken = 'shpat_of_another_time';
    await storage().storeSession(refused);
    expect((await ask()).shop.name).toBe(domain.replace('.myshopify.com', ''));
    expect(tokensAsked()).toBe(2);
  });

  it('is dead when its refresh token is, and alive again after the next visit', async () => {
    standIn.tokens.expiresIn = 200;
    await visit();
    standIn.tokens.deadRefresh = true;
    expect(await faultOf(ask())).toBe('revoked');
    await store.shop(domain).setNeedsReopening(true);
    standIn.tokens.expiresIn = 3_600;
    await visit();
    expect(await store.shop(domain).record()).toMatchObject({ needsReopeningAt: null });
    await ask();
  });

  it('is dead when Shopify takes neither it nor a new one, and a visit brings another', async () => {
    await visit();
    standIn.tokens.revoke(domain);
    expect(await faultOf(ask())).toBe('revoked');
    await visit();
    await ask();
  });

  it('is dead without a session', async () => {
    expect(await faultOf(ask())).toBe('revoked');
    expect(tokensAsked()).toBe(0);
  });

  it('is not dead because Shopify is down', async () => {
    standIn.tokens.expiresIn = 200;
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

  it('is taken to live for an hour when Shopify does not say', async () => {
    standIn.tokens.withoutExpiry = true;
    await visit();
    const lives = (await session()).expires!.getTime() - Date.now();
    expect(lives).toBeGreaterThan(3_590_000);
    expect(lives).toBeLessThanOrEqual(3_600_000);
  });
});

describe('a merchant whose token Shopify refuses', () => {
  const open = async (headers: Record<string, string> = {}) => {
    const address = headers.Authorization ? `${config.appUrl}/app?_data=x` : await addressOfApp(config.appUrl, domain);
    return await app.merchantOf(new Request(address, { headers: { ...BROWSER, ...headers } }));
  };

  it('is brought back with a fresh one', async () => {
    const document = await open();
    const data = await open({ Authorization: `Bearer ${await idToken(domain)}` });
    standIn.tokens.revoke(domain);
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

describe('what is kept of a session', () => {
  it('is sealed: nothing of a token is on the disk', async () => {
    await visit();
    const [row] = await store.shop(domain).sessions.list();
    const { accessToken, refreshToken } = await session();
    for (const token of [accessToken!, refreshToken!]) expect(JSON.stringify(row)).not.toContain(token);
  });

  it('is as good as none when its key is lost', async () => {
    await visit();
    const other = createSessionStorage(store, createSeal([Buffer.alloc(32, 2)]), Date.now);
    expect(await other.loadSession(`offline_${domain}`)).toBeUndefined();
    expect(await other.findSessionsByShop!(domain)).toEqual([]);
    const lost = createApp({ config: { ...config, tokenKeys: [Buffer.alloc(32, 2)] }, store, clock: Date.now });
    expect(await faultOf(ask(lost))).toBe('revoked');
  });

  it('is what was stored, and goes when it is told to', async () => {
    await visit();
    const kept = await session();
    expect((await storage().findSessionsByShop!(domain)).map(({ id }) => id)).toEqual([kept.id]);
    expect(kept).toMatchObject({ shop: domain, isOnline: false, scope: 'read_products,read_themes' });
    await storage().deleteSession(kept.id);
    expect(await storage().loadSession(kept.id)).toBeUndefined();
  });
});
