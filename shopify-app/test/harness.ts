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
import { type Logger, pino } from 'pino';
import type { Billing } from '../src/billing/plan.ts';
import type { AppDeps } from '../src/context/app.ts';
import type { RunningApp } from '../src/serve.ts';
import { serveTestApp } from './serve-app.ts';

/** Browser request headers. The Shopify package treats a client without a known user agent as a bot. */
export const BROWSER = {
  'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
};

/** Test harness that serves the built app over HTTP with the fake Shopify. */
export interface AppHarness {
  readonly fakeShopify: FakeShopify;
  readonly app: RunningApp;
  /** Configuration for another app instance. */
  readonly config: AppDeps['config'];
  /** Second connection to the app's store. */
  readonly store: ShopStore;
  /** All log lines. */
  readonly lines: string[];
  /** Adds a shop to the fake Shopify. Returns its domain. */
  newShop(): Promise<string>;
  /** Opens a page as the Shopify admin does. */
  visit(domain: string, path?: string): Promise<Response>;
  /** Sends a request to a path or URL, without following redirects. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** Sends a request as the app's own pages do, with the session token that App Bridge adds. */
  askAs(domain: string, path: string, init?: RequestInit): Promise<Response>;
  /** Sends a webhook, by default with a valid signature. Returns the response status. */
  webhook(
    topic: string,
    domain: string,
    payload: object,
    options?: Parameters<FakeShopify['webhook']>[4],
  ): Promise<number>;
  /** Returns the number of tokens that the app requested from Shopify for a shop. */
  tokensAsked(domain: string): number;
  close(): Promise<void>;
}

/** Creates a logger that appends its output to an array of lines. */
export const createLog = (lines: string[]): Logger =>
  pino({ level: 'trace', base: null }, { write: line => void lines.push(line) });

/**
 * Starts the app and the fake Shopify. If `jobsAtOnce` is 0, the app enqueues jobs but doesn't run them.
 *
 * @example
 * const harness = await startAppHarness({ jobsAtOnce: 0 });
 * const response = await harness.visit(await harness.newShop());
 */
export async function startAppHarness({
  jobsAtOnce,
  billing,
}: {
  readonly jobsAtOnce: number;
  readonly billing?: Billing;
}): Promise<AppHarness> {
  const fakeShopify = await startFakeShopify([]);
  wireFetch(fakeShopify);
  const dataDir = await mkdtemp(join(tmpdir(), 'shopify-app-'));
  const lines: string[] = [];
  const app = await serveTestApp(fakeShopify, {
    dataDir,
    jobsAtOnce,
    log: createLog(lines),
    ...(billing && { billing }),
  });
  const store = await openShopStore({ dataDir, clock: Date.now });
  let shops = 0;

  const ask: AppHarness['ask'] = (path, { headers, ...init } = {}) =>
    fetch(path.startsWith('/') ? `${app.url}${path}` : path, {
      redirect: 'manual',
      ...init,
      headers: { ...BROWSER, ...headers },
    });

  return {
    fakeShopify,
    app,
    config: { apiKey: API_KEY, apiSecret: API_SECRET, appUrl: 'https://app.example', tokenKeys: [Buffer.alloc(32, 7)] },
    store,
    lines,
    ask,
    async newShop() {
      const shop = emptyShop(`shop-${++shops}`);
      await fakeShopify.add(shop);
      return shop.domain;
    },
    visit: async (domain, path = '/app') => await ask(await embeddedAppUrl(app.url, domain, { path })),
    askAs: async (domain, path, { headers, ...init } = {}) =>
      await ask(path, { ...init, headers: { ...headers, Authorization: `Bearer ${await idToken(domain)}` } }),
    webhook: (topic, domain, payload, options) => fakeShopify.webhook(app.url, topic, domain, payload, options),
    tokensAsked: domain =>
      fakeShopify.calls.filter(({ shop, path }) => shop === domain && path === '/admin/oauth/access_token').length,
    async close() {
      await app.stop();
      await store.close();
      await fakeShopify.close();
      await rm(dataDir, { recursive: true });
    },
  };
}
