import '@shopify/shopify-app-remix/adapters/node';
import type { Store } from '@compliance/store';
import { LogSeverity } from '@shopify/shopify-api';
import { ApiVersion, AppDistribution, shopifyApp } from '@shopify/shopify-app-remix/server';
import type { Logger } from 'pino';
import { createAdmin, JOB, PAGE } from './admin/admin.ts';
import type { Config } from './config.ts';
import type { Merchant } from './merchant.ts';
import { createSeal } from './sessions/seal.ts';
import { createSessionStorage } from './sessions/storage.ts';

/** What the app is made of; a test gives a store of its own and doors to a storefront of its own. */
export interface AppParts {
  readonly config: Pick<Config, 'apiKey' | 'apiSecret' | 'appUrl' | 'tokenKeys'>;
  readonly store: Store;
  readonly clock: () => number;
  readonly log?: Logger | undefined;
}

/** The app without HTTP: who asks, what they may do, and what happens behind it. */
export interface App {
  readonly apiKey: string;
  readonly store: Store;
  readonly log: Logger | undefined;
  /**
   * The merchant of a request from Shopify's admin, by the real `authenticate.admin`.
   *
   * @throws Response the answer to give instead: a redirect, the bounce page, 401, 410 for robots
   */
  merchantOf(request: Request): Promise<Merchant>;
  /** A shop without a request, for a job. @throws when its session is gone or dead */
  merchantBehind(domain: string): Promise<Merchant>;
  /** Checks a webhook. @throws Response 401, 400 or 405 */
  webhookOf(request: Request): Promise<{ topic: string; shop: string; eventId: string; payload: unknown }>;
  /** The headers of a document: who may frame it, and which scripts run. */
  documentHeaders(request: Request, headers: Headers, nonce: string): void;
  /** Writes down that a request failed: its name and place, never its message, which may hold a stranger's text. */
  failed(error: unknown, request: Request): void;
}

/** Scopes that the app cannot do without; `shopify.app.toml` lists them and the optional ones. */
const SCOPES = ['read_products', 'read_themes'];

/**
 * Puts the app together.
 *
 * @example
 * const app = createApp({ config, store, clock: Date.now, log: pino() });
 */
export function createApp({ config, store, clock, log }: AppParts): App {
  const shopify = shopifyApp({
    apiKey: config.apiKey,
    apiSecretKey: config.apiSecret,
    appUrl: config.appUrl,
    apiVersion: ApiVersion.October26,
    scopes: SCOPES,
    authPathPrefix: '/auth',
    distribution: AppDistribution.AppStore,
    sessionStorage: createSessionStorage(store, createSeal(config.tokenKeys), clock),
    future: { unstable_newEmbeddedAuthStrategy: true, expiringOfflineAccessTokens: true },
    // Below this level the package writes session tokens.
    logger: { level: LogSeverity.Warning, log: (_, message) => log?.warn(message.split('|')[0]?.trim() ?? '') },
    hooks: {
      async afterAuth({ session }) {
        const { outcome } = await store.shops.install(session.shop, { scopes: session.scope?.split(',') ?? [] });
        const shop = store.shop(session.shop);
        await shop.setNeedsReopening(false);
        if (outcome === 'known') return;
        await shop.jobs.enqueue({ kind: 'scan', payload: { trigger: 'install' } });
        await shop.jobs.enqueue({ kind: 'catalog' });
      },
    },
  });

  return {
    apiKey: config.apiKey,
    store,
    log,
    async merchantOf(request) {
      // Only address and headers speak for the caller; the body is left to the route.
      const { session, admin } = await shopify.authenticate.admin(
        new Request(request.url, { headers: request.headers, method: request.method }),
      );
      return { domain: session.shop, shop: store.shop(session.shop), admin: createAdmin(admin.graphql, PAGE) };
    },
    async merchantBehind(domain) {
      const { session, admin } = await shopify.unauthenticated.admin(domain);
      return { domain: session.shop, shop: store.shop(session.shop), admin: createAdmin(admin.graphql, JOB) };
    },
    async webhookOf(request) {
      const { topic, shop, webhookId, payload, ...rest } = await shopify.authenticate.webhook(request);
      return { topic, shop, eventId: ('eventId' in rest ? rest.eventId : undefined) ?? webhookId, payload };
    },
    documentHeaders(request, headers, nonce) {
      shopify.addDocumentResponseHeaders(request, headers);
      const frames = headers.get('Content-Security-Policy') ?? "frame-ancestors 'none';";
      const scripts = `script-src 'self' 'nonce-${nonce}' https://cdn.shopify.com`;
      headers.set('Content-Security-Policy', `${frames} ${scripts}; object-src 'none'; base-uri 'none'`);
    },
    failed(error, request) {
      const failure = error instanceof Error ? error : null;
      log?.error(
        {
          method: request.method,
          path: new URL(request.url).pathname,
          failure: failure?.name ?? typeof error,
          at: failure?.stack
            ?.split('\n')
            .filter(line => /^ +at /.test(line))
            .slice(0, 8)
            .map(line => line.trim()),
        },
        'failed',
      );
    },
  };
}
