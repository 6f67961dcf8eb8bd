import '@shopify/shopify-app-remix/adapters/node';
import type { Store } from '@compliance/store';
import { HttpResponseError, LogSeverity, type Session, shopifyApi } from '@shopify/shopify-api';
import { ApiVersion, AppDistribution, shopifyApp } from '@shopify/shopify-app-remix/server';
import type { Logger } from 'pino';
import { createAdmin, type Graphql, JOB, PAGE } from './admin/admin.ts';
import type { Config } from './config.ts';
import type { Merchant } from './merchant.ts';
import { createSeal } from './sessions/seal.ts';
import { createSessionStorage } from './sessions/storage.ts';
import { createTokens } from './sessions/tokens.ts';
import { type Delivery, readDelivery } from './webhooks/delivery.ts';

/** What the app is made of; a test gives a store of its own. */
export interface AppParts {
  readonly config: Pick<Config, 'apiKey' | 'apiSecret' | 'appUrl' | 'tokenKeys' | 'complianceUrl'> &
    Partial<Pick<Config, 'contact'>>;
  readonly store: Store;
  readonly clock: () => number;
  readonly log?: Logger | undefined;
}

/** The app without HTTP: who asks, what they may do, and what happens behind it. */
export interface App {
  readonly apiKey: string;
  /** Where merchants reach it. */
  readonly origin: string;
  readonly store: Store;
  readonly log: Logger | undefined;
  /** Where certificates are verified; null while whoever runs the app has not said it. */
  readonly complianceUrl: string | null;
  /** Page or address of whoever runs the app. */
  readonly contact: string | null;
  /**
   * The merchant of a request from Shopify's admin, by the real `authenticate.admin`.
   *
   * @throws Response the answer to give instead: a redirect, the bounce page, 401, 410 for robots
   */
  merchantOf(request: Request): Promise<Merchant>;
  /**
   * A shop without a request, for a job. Its Admin API keeps the token alive, and fails as `revoked` when only a visit of
   * the merchant can heal it.
   */
  merchantBehind(domain: string): Merchant;
  /** What a webhook says, once its signature is true. @throws Response 400, 401 or 405 */
  webhookOf(request: Request): Promise<Delivery>;
  /** Writes down that something failed: its name and place, never its message, which may hold a stranger's text. */
  failed(error: unknown, where: object): void;
}

/** The version of Shopify's APIs that everything here is written for; `shopify.app.toml` names it for webhooks. */
export const API_VERSION = ApiVersion.October26;

/**
 * Puts the app together.
 *
 * @example
 * const app = createApp({ config, store, clock: Date.now, log: pino() });
 */
export function createApp({ config, store, clock, log }: AppParts): App {
  const sessionStorage = createSessionStorage(store, createSeal(config.tokenKeys), clock);
  const { host, protocol, origin } = new URL(config.appUrl);
  const common = {
    apiKey: config.apiKey,
    apiSecretKey: config.apiSecret,
    apiVersion: API_VERSION,
    // Below this level the packages write session tokens; what follows the bar is what they were at.
    logger: {
      level: LogSeverity.Warning,
      log: (_: LogSeverity, message: string) => log?.warn(message.split('|')[0]!.trim()),
    },
  };
  const api = shopifyApi({
    ...common,
    hostName: host,
    hostScheme: protocol === 'https:' ? 'https' : 'http',
    isEmbeddedApp: true,
  });
  const shopify = shopifyApp({
    ...common,
    appUrl: config.appUrl,
    authPathPrefix: '/auth',
    distribution: AppDistribution.AppStore,
    sessionStorage,
    future: { unstable_newEmbeddedAuthStrategy: true, expiringOfflineAccessTokens: true },
    hooks: { afterAuth: ({ session }) => remember(session) },
  });
  const tokens = createTokens({
    storage: sessionStorage,
    idOf: api.session.getOfflineId,
    refresh: async (shop, refreshToken) => (await api.auth.refreshToken({ shop, refreshToken })).session,
  });

  /** A shop that Shopify gave a token for has the app. */
  async function remember(session: Session): Promise<void> {
    const { outcome } = await store.shops.install(session.shop, { scopes: session.scope?.split(',') ?? [] });
    const shop = store.shop(session.shop);
    await shop.setNeedsReopening(false);
    if (outcome === 'known') return;
    await shop.jobs.enqueue({ kind: 'scan', payload: { trigger: 'install' } });
    await shop.jobs.enqueue({ kind: 'catalog' });
  }

  return {
    apiKey: config.apiKey,
    origin,
    store,
    log,
    complianceUrl: config.complianceUrl ?? null,
    contact: config.contact ?? null,

    async merchantOf(request) {
      // Only address and headers speak for the caller; the body is left to the route.
      const { session, admin, sessionToken } = await shopify.authenticate.admin(
        new Request(request.url, { headers: request.headers, method: request.method }),
      );
      const shop = store.shop(session.shop);
      const record = await shop.record();
      // The process may have died between the token and what follows from it.
      if (record?.uninstalledAt !== null) await remember(session);
      return { domain: session.shop, shop, admin: createAdmin(admin.graphql, PAGE), user: sessionToken.sub };
    },

    merchantBehind(domain) {
      const graphql: Graphql = async (document, options) => {
        await tokens.keep(domain);
        const { admin, session } = await shopify.unauthenticated.admin(domain);
        try {
          return await admin.graphql(document, options);
        } catch (error) {
          if (!isRefused(error)) throw error;
          await tokens.replace(domain, session.accessToken);
        }
        const { admin: renewed } = await shopify.unauthenticated.admin(domain);
        try {
          return await renewed.graphql(document, options);
        } catch (error) {
          if (isRefused(error)) await tokens.forget(domain);
          throw error;
        }
      };
      return { domain, shop: store.shop(domain), admin: createAdmin(graphql, JOB), user: null };
    },

    webhookOf: request => readDelivery(api, request),

    failed(error, where) {
      const failure = error instanceof Error ? error : null;
      log?.error({ ...where, failure: failure?.name ?? typeof error, at: framesOf(failure) }, 'failed');
    },
  };
}

const isRefused = (error: unknown): boolean => error instanceof HttpResponseError && error.response.code === 401;

/** The places on the stack; its first line is the message. */
const framesOf = (error: Error | null): readonly string[] =>
  (error?.stack ?? '')
    .split('\n')
    .filter(line => /^ +at /.test(line))
    .slice(0, 8)
    .map(line => line.trim());
