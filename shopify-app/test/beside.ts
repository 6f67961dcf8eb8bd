import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type Store } from '@compliance/store';
import { type Logger, pino } from 'pino';
import type { AppParts } from '../src/app.ts';
import type { Running } from '../src/serve.ts';
import { API_KEY, API_SECRET, idToken } from '../stand-in/admin/tokens.ts';
import { addressOfApp } from '../stand-in/frame/frame.ts';
import { serveAppBeside } from '../stand-in/serve-app.ts';
import { emptyShop } from '../stand-in/shop/shop.ts';
import { type StandIn, startStandIn } from '../stand-in/stand-in.ts';
import { wireFetch } from '../stand-in/wire-fetch.ts';

/** A browser; without a name that it knows Shopify's package takes the visitor for a robot. */
export const BROWSER = {
  'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
};

/** The app as it is built, over HTTP, beside the stand-in, and what a test looks at. */
export interface Beside {
  readonly standIn: StandIn;
  readonly app: Running;
  /** What another process of the app would be made with. */
  readonly config: AppParts['config'];
  /** The app's store, opened once more. */
  readonly store: Store;
  /** What was logged, all levels. */
  readonly lines: string[];
  /** Adds a shop to the stand-in. Gives its domain. */
  newShop(): Promise<string>;
  /** A document in Shopify's admin. */
  visit(domain: string, path?: string): Promise<Response>;
  /** Any request, by a path or a whole address; redirects are given, not followed. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** A request of the app's own pages, with the session token that App Bridge adds. */
  askAs(domain: string, path: string, init?: RequestInit): Promise<Response>;
  /** Sends a webhook with a true signature. Gives the status of the answer. */
  webhook(topic: string, domain: string, payload: object, options?: Parameters<StandIn['webhook']>[4]): Promise<number>;
  /** How many tokens the app asked Shopify for on behalf of a shop. */
  tokensAsked(domain: string): number;
  close(): Promise<void>;
}

/** A log that keeps its lines. */
export const createLog = (lines: string[]): Logger =>
  pino({ level: 'trace', base: null }, { write: line => void lines.push(line) });

/**
 * Starts all of it. With `jobsAtOnce: 0` jobs are only enqueued.
 *
 * @example
 * const beside = await startBeside({ jobsAtOnce: 0 });
 * const answer = await beside.visit(await beside.newShop());
 */
export async function startBeside({ jobsAtOnce }: { readonly jobsAtOnce: number }): Promise<Beside> {
  const standIn = await startStandIn([]);
  wireFetch(standIn);
  const dataDir = await mkdtemp(join(tmpdir(), 'shopify-app-'));
  const lines: string[] = [];
  const app = await serveAppBeside(standIn, { dataDir, jobsAtOnce, log: createLog(lines) });
  const store = await openStore({ dataDir, clock: Date.now });
  let shops = 0;

  const ask: Beside['ask'] = (path, { headers, ...init } = {}) =>
    fetch(path.startsWith('/') ? `${app.url}${path}` : path, {
      redirect: 'manual',
      ...init,
      headers: { ...BROWSER, ...headers },
    });

  return {
    standIn,
    app,
    config: { apiKey: API_KEY, apiSecret: API_SECRET, appUrl: 'https://app.example', tokenKeys: [Buffer.alloc(32, 7)] },
    store,
    lines,
    ask,
    async newShop() {
      const shop = emptyShop(`shop-${++shops}`);
      await standIn.add(shop);
      return shop.domain;
    },
    visit: async (domain, path = '/app') => await ask(await addressOfApp(app.url, domain, { path })),
    askAs: async (domain, path, { headers, ...init } = {}) =>
      await ask(path, { ...init, headers: { ...headers, Authorization: `Bearer ${await idToken(domain)}` } }),
    webhook: (topic, domain, payload, options) => standIn.webhook(app.url, topic, domain, payload, options),
    tokensAsked: domain =>
      standIn.calls.filter(({ shop, path }) => shop === domain && path === '/admin/oauth/access_token').length,
    async close() {
      await app.stop();
      await store.close();
      await standIn.close();
      await rm(dataDir, { recursive: true });
    },
  };
}
