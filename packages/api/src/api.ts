import type { Nomenclature } from '@compliance/core/tariff';
import type { Scanner } from '@compliance/crawler';
import type { Store } from '@compliance/store';
import { Hono } from 'hono';
import { etag } from 'hono/etag';
import { requestId } from 'hono/request-id';
import { betaPages } from './beta/beta.ts';
import { downloads } from './certificates/download.ts';
import { type CertificateDeps, createIssuer } from './certificates/issuer.ts';
import { verificationPages } from './certificates/page.ts';
import { ApiError, errorResponse } from './errors.ts';
import { bodyOf } from './gates/body.ts';
import type { Connection } from './gates/client-address.ts';
import { admit, keyOf } from './gates/key.ts';
import { limitHeaders, withinLimit } from './gates/limit.ts';
import { openapiYaml } from './openapi/document.ts';
import { OPERATIONS } from './operations/operations.gen.ts';
import type { OperatorAccess } from './operator/context.ts';
import { operatorPages } from './operator/operator.ts';
import { pageAssets } from './pages/assets.ts';

/** What the API works with. Nothing else is reached: no environment, no clock, no disk of its own. */
export interface ApiDeps {
  store: Store;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** The official HTS export to tell existing codes by. */
  nomenclature?: Nomenclature | null;
  /** Fetches and scans storefronts; without one the scan answers `unavailable`. */
  scanner?: Scanner | null;
  /** Fonts, link keys and the public address; without them no certificate is issued. */
  certificates?: CertificateDeps | null;
  /** Who may sign in to the operator pages. Without it `/operator` answers 404. */
  operator?: OperatorAccess;
  /** Where the service is reached from outside, such as `https://compliance.example`: on https cookies are Secure. */
  baseUrl?: string | undefined;
  /** How many proxies of yours stand before the service and add to `X-Forwarded-For`; 0 when left out. */
  trustedProxies?: number | undefined;
  /** Told of every failure that is the service's own; the caller learns only the request id. */
  onFailure?: (failure: unknown, requestId: string) => void;
}

/**
 * The service as one fetch handler, to be mounted in any runtime that has `Request` and `Response`.
 *
 * @example
 * const api = createApi({ store: await openStore({ dataDir: './data', clock: Date.now }), clock: Date.now });
 * serve({ fetch: api.fetch, port: 8787 });
 */
export function createApi(deps: ApiDeps): {
  fetch: (request: Request, connection?: Connection) => Response | Promise<Response>;
} {
  const { store, clock, nomenclature = null, scanner = null, certificates = null } = deps;
  const issuer = certificates && createIssuer(store, certificates);
  const app = new Hono<{ Variables: { requestId: string } }>();
  app.use(requestId({ limitLength: 64 }));
  app.use(async (c, next) => {
    await next();
    c.header('Cache-Control', c.res.headers.get('Cache-Control') ?? 'no-store');
    c.header('X-Content-Type-Options', 'nosniff');
  });

  for (const operation of OPERATIONS) {
    app.on(operation.method, operation.path, async c => {
      const key = await keyOf(c, store);
      // Every gate after the key counts against the limit, also the two that refuse before it.
      const now = clock();
      const take = await store.limits.take(key.family);
      for (const [name, value] of Object.entries(limitHeaders(take, now))) c.header(name, value);
      c.header('Vary', 'Authorization, Accept');
      admit(key, operation);
      withinLimit(take, now);
      const request = await bodyOf(operation, c);
      const caller = {
        family: key.family,
        keyId: key.id,
        requestId: c.get('requestId'),
        idempotencyKey: c.req.header('idempotency-key') ?? null,
      };
      const answer = await operation.handle(request, { now, nomenclature, scanner, issuer, caller });
      await store.usage.record({ keyId: key.id, operation: operation.id });
      return c.json(answer as object);
    });
  }
  if (certificates) {
    app.route('/', verificationPages(store, certificates, clock));
    app.route('/', downloads(store, certificates.links, clock));
  }
  const { operator } = deps;
  if (operator) app.route('/', operatorPages({ ...deps, operator }));
  app.route('/', betaPages(deps));
  app.route('/', pageAssets());
  app.use('/openapi.yaml', etag());
  app.get('/openapi.yaml', c =>
    c.text(openapiYaml(), 200, { 'Content-Type': 'application/yaml', 'Cache-Control': 'public, max-age=300' }),
  );
  app.get('/healthz', c => c.json({ status: 'ok' }));
  app.get('/readyz', async c => {
    await store.ready().catch(() => {
      throw new ApiError('unavailable', { headers: { 'Retry-After': '5' } });
    });
    return c.json({ status: 'ready' });
  });

  app.notFound(c => {
    const methods = app.routes
      .filter(({ path, method }) => path === c.req.path && method !== 'ALL')
      .map(route => route.method);
    if (methods.length === 0) return errorResponse(c, new ApiError('not_found'));
    return errorResponse(
      c,
      new ApiError('method_not_allowed', { headers: { Allow: [...new Set(methods)].join(', ') } }),
    );
  });
  app.onError((error, c) => {
    if (error instanceof ApiError) return errorResponse(c, error);
    deps.onFailure?.(error, c.get('requestId'));
    return errorResponse(c, new ApiError('internal'));
  });
  return app;
}
