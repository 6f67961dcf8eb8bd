import '@shopify/shopify-app-remix/adapters/node';
import { DATASET, type Dataset } from '@compliance/core/tariff';
import { type CertificateDrawing, drawInProcess } from '@compliance/drawing';
import type { SignCertificate } from '@compliance/signing';
import { type ShopStore, URGENT } from '@compliance/store/shop';
import { HttpResponseError, LogSeverity, type Session, shopifyApi } from '@shopify/shopify-api';
import { ApiVersion, AppDistribution, shopifyApp } from '@shopify/shopify-app-remix/server';
import type { Logger } from 'pino';
import { createAdmin, type Graphql, JOB_BUDGET, PAGE_BUDGET } from '../admin/admin.ts';
import type { Merchant } from '../admin/merchant.ts';
import { createUnsubscribeLinks, type UnsubscribeLinks } from '../alerts/unsubscribe-link.ts';
import type { Billing } from '../billing/plan.ts';
import { PLAN_CHECK } from '../billing/plan-job.ts';
import { NO_REFERENCE_DATA, type ReferenceData } from '../catalog/reference-data.ts';
import { createSignatureReader, type SignatureReader } from '../certificates/signature.ts';
import type { RenderingAvailability } from '../scan/model/rendering.ts';
import { createSeal } from '../sessions/seal.ts';
import { createSessionStorage } from '../sessions/storage.ts';
import { createTokens } from '../sessions/tokens.ts';
import { type Delivery, readDelivery } from '../webhooks/delivery.ts';
import type { Config } from './config.ts';

/** App dependencies, which tests can replace with their own. */
export interface AppDeps {
  readonly config: Pick<Config, 'apiKey' | 'apiSecret' | 'appUrl' | 'tokenKeys' | 'complianceUrl'> &
    Partial<Pick<Config, 'contact' | 'mail' | 'billing'>>;
  readonly store: ShopStore;
  readonly clock: () => number;
  readonly log?: Logger | undefined;
  /** Generates certificate and label files, by default in this process. */
  readonly drawing?: CertificateDrawing;
  /** Signs issued certificates. By default, they aren't signed. */
  readonly sign?: SignCertificate | null;
  /** Returns the tariff data set in use. The default is the bundled data set. */
  readonly dataset?: () => Dataset;
  /** Official data that the operator supplied. By default, no data is loaded. */
  readonly reference?: ReferenceData;
  /** Whether the app can open storefronts in a browser. By default, rendering is off. */
  readonly rendering?: RenderingAvailability;
}

/** App services without the HTTP server, for authentication, Admin API access, and stored data. */
export interface App {
  readonly apiKey: string;
  /** Public origin of the app, such as `https://app.example.com`. */
  readonly origin: string;
  readonly store: ShopStore;
  readonly log: Logger | undefined;
  /** Base URL of the certificate verification service, or null if the operator hasn't configured it. */
  readonly complianceUrl: string | null;
  /** Generates certificate and label files. */
  readonly drawing: CertificateDrawing;
  /** Signs issued certificates, or null if the operator hasn't configured a signing key. */
  readonly sign: SignCertificate | null;
  readonly readSignature: SignatureReader;
  /** Operator's contact URL, which can be a mailto URL. */
  readonly contact: string | null;
  /** Whether the operator has configured an SMTP server, which alerts require. */
  readonly canSendMail: boolean;
  readonly unsubscribeLinks: UnsubscribeLinks;
  /** Billing settings, or null if billing is off. */
  readonly billing: Billing | null;
  /** Official data that the operator supplied. */
  readonly reference: ReferenceData;
  /** Whether the app can open storefronts in a browser. */
  readonly rendering: RenderingAvailability;
  /**
   * Authenticates the merchant who sent a request from the Shopify admin. Calls the Shopify package's
   * `authenticate.admin`.
   *
   * @throws Response to send if authentication fails: a redirect, the token page, a 401 response, or a 410 response for
   * bots
   */
  authenticateMerchant(request: Request): Promise<Merchant>;
  /**
   * Returns the shop context for a job, which doesn't have a request. The Admin API client renews the token before it
   * expires. If only the merchant can restore access, the client throws a `revoked` error.
   */
  offlineContext(domain: string): Merchant;
  /** Verifies and parses a webhook. @throws Response with status 400, 401, or 405 if the webhook is invalid */
  readWebhook(request: Request): Promise<Delivery>;
  /** Logs an error's name and stack but omits its message, which might contain untrusted text. */
  logFailure(error: unknown, where: object): void;
}

/** Shopify API version that the app uses. `shopify.app.toml` sets the same version for webhooks. */
export const API_VERSION = ApiVersion.October26;

/**
 * Creates the app services.
 *
 * @example
 * const app = createApp({ config, store, clock: Date.now, log: pino() });
 */
export function createApp({
  config,
  store,
  clock,
  log,
  drawing = drawInProcess,
  sign = null,
  dataset = () => DATASET,
  reference = NO_REFERENCE_DATA,
  rendering = 'off',
}: AppDeps): App {
  const sessionStorage = createSessionStorage(store, createSeal(config.tokenKeys), clock);
  const { host, protocol, origin } = new URL(config.appUrl);
  const common = {
    apiKey: config.apiKey,
    apiSecretKey: config.apiSecret,
    apiVersion: API_VERSION,
    // At log levels below warning, the Shopify packages log session tokens. In each message, the request context
    // follows a vertical bar.
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
    hooks: { afterAuth: ({ session }) => recordInstall(session) },
  });
  const tokens = createTokens({
    storage: sessionStorage,
    idOf: api.session.getOfflineId,
    refresh: async (shop, refreshToken) => (await api.auth.refreshToken({ shop, refreshToken })).session,
  });

  /** Records that the app is installed in a shop, after Shopify issues a token for the shop. */
  async function recordInstall(session: Session): Promise<void> {
    const { outcome } = await store.shops.install(session.shop, { scopes: session.scope?.split(',') ?? [] });
    const shop = store.shop(session.shop);
    await shop.setNeedsReopening(false);
    if (outcome === 'known') return;
    await shop.jobs.enqueue({ kind: 'scan', payload: { trigger: 'install' }, priority: URGENT });
    await shop.jobs.enqueue({ kind: 'catalog' });
    if (config.billing) await shop.jobs.enqueue({ kind: PLAN_CHECK });
  }

  return {
    apiKey: config.apiKey,
    origin,
    store,
    log,
    complianceUrl: config.complianceUrl ?? null,
    reference,
    rendering,
    drawing,
    sign,
    readSignature: createSignatureReader(store.certificates),
    contact: config.contact ?? null,
    canSendMail: config.mail !== undefined,
    unsubscribeLinks: createUnsubscribeLinks(origin, config.tokenKeys),
    billing: config.billing ?? null,

    async authenticateMerchant(request) {
      // Authentication needs only the URL and headers, so the route can still read the body.
      const { session, admin, sessionToken } = await shopify.authenticate.admin(
        new Request(request.url, { headers: request.headers, method: request.method }),
      );
      const shop = store.shop(session.shop);
      const record = await shop.record();
      // The process might have died after storing the token but before recording the shop.
      if (record?.uninstalledAt !== null) await recordInstall(session);
      return {
        ...{ domain: session.shop, shop, dataset, user: sessionToken.sub },
        admin: createAdmin(admin.graphql, PAGE_BUDGET),
      };
    },

    offlineContext(domain) {
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
      return { domain, shop: store.shop(domain), admin: createAdmin(graphql, JOB_BUDGET), dataset, user: null };
    },

    readWebhook: request => readDelivery(api, request),

    logFailure(error, where) {
      const failure = error instanceof Error ? error : null;
      log?.error({ ...where, failure: failure?.name ?? typeof error, at: framesOf(failure) }, 'failed');
    },
  };
}

const isRefused = (error: unknown): boolean => error instanceof HttpResponseError && error.response.code === 401;

/** Returns the first eight frames of the stack trace, without the error message. */
const framesOf = (error: Error | null): readonly string[] =>
  (error?.stack ?? '')
    .split('\n')
    .filter(line => /^ +at /.test(line))
    .slice(0, 8)
    .map(line => line.trim());
