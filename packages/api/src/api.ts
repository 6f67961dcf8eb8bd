import type { Nomenclature } from '@compliance/core/tariff';
import type { Scanner } from '@compliance/crawler';
import type { Store } from '@compliance/store';
import { Hono } from 'hono';
import { etag } from 'hono/etag';
import { ALWAYS, answer } from './answer.ts';
import { betaPages } from './beta/beta.ts';
import { downloads } from './certificates/download.ts';
import { type CertificateDeps, createIssuer } from './certificates/issuer.ts';
import { verificationPages } from './certificates/page.ts';
import type { ApiEnv } from './context.ts';
import { docPages } from './docs/docs.ts';
import { ApiError, errorResponse } from './errors.ts';
import type { Connection } from './gates/client-address.ts';
import { inputOf } from './gates/input.ts';
import { admit, createKeyGate } from './gates/key.ts';
import { showLimit, withinLimit } from './gates/limit.ts';
import { homePages } from './home/home.ts';
import { createLookUp } from './lookups.ts';
import { failureFacts, observe, type RequestLog, type RequestMetrics } from './observe.ts';
import { openapiYaml } from './openapi/document.ts';
import { routeOf } from './operations/operation.ts';
import { OPERATIONS } from './operations/operations.gen.ts';
import type { OperatorAccess } from './operator/context.ts';
import { operatorPages } from './operator/operator.ts';
import { pageAssets } from './pages/assets.ts';
import { nameRequest } from './request-id.ts';
import { openCall } from './v0/call.ts';
import { type Retirement, v0 } from './v0/v0.ts';

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
  /** Told of every failure that is the service's own; the caller learns only the request id. */
  onFailure?: (failure: unknown, requestId: string) => void;
  /** Writes a line for each request and each failure. Nothing is written without it. */
  log?: RequestLog;
  /** Counts requests. `createMetrics` makes one. */
  metrics?: RequestMetrics;
  /** How many proxies of ours stand before the service and add to `X-Forwarded-For`; 0 unless given. */
  trustedProxies?: number;
  /** When v0 ends, once that is decided. */
  v0Retirement?: Retirement | null;
}

/** The service. A runtime gives what it knows of the connection beside the request. */
export interface Api {
  fetch: (request: Request, connection?: Connection) => Response | Promise<Response>;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * The service as one fetch handler, to be mounted in any runtime that has `Request` and `Response`.
 *
 * @example
 * const api = createApi({ store: await openStore({ dataDir: './data', clock: Date.now }), clock: Date.now });
 * serve({ fetch: api.fetch, port: 8787 });
 */
export function createApi(deps: ApiDeps): Api {
  const { store, clock, nomenclature = null, onFailure, log, metrics, trustedProxies = 0, v0Retirement = null } = deps;
  const { scanner = null, certificates = null, operator, baseUrl } = deps;
  const issuer = certificates && createIssuer(store, certificates);
  const lookUp = createLookUp(nomenclature);
  const keyOf = createKeyGate(store);
  const failed = (failure: unknown, requestId: string) => {
    log?.error(failureFacts(failure, requestId), 'failure');
    onFailure?.(failure, requestId);
  };
  const app = new Hono<ApiEnv>();
  app.use(nameRequest);
  if (log || metrics) app.use(observe(log, metrics));

  for (const operation of OPERATIONS) {
    app.on(operation.method, routeOf(operation), async c => {
      c.set('endpoint', operation);
      const key = await keyOf(c);
      c.set('keyId', key.id);
      // Every gate after the key counts against the limit, also the two that refuse before it.
      const now = clock();
      const take = await store.limits.take(key.family);
      showLimit(c, take, now);
      c.get('carried').Vary = 'Authorization, Accept';
      admit(key, operation);
      withinLimit(take, now);
      const request = await inputOf(c, operation);
      const caller = {
        family: key.family,
        keyId: key.id,
        requestId: c.get('requestId'),
        idempotencyKey: c.req.header('idempotency-key') ?? null,
      };
      const json = JSON.stringify(await operation.handle(request, { now, lookUp, scanner, issuer, caller }));
      // The answer does not wait: a use that cannot be counted is a failure of ours.
      store.usage.record({ keyId: key.id, operation: operation.id }).catch(error => failed(error, c.get('requestId')));
      return answer(c, 200, json);
    });
  }
  const call = openCall({ store, clock, scanner, trustedProxies });
  app.route('/', v0(call, v0Retirement));

  // Operations answer above with headers of their own; what follows are pages.
  app.use(async (c, next) => {
    await next();
    for (const [name, value] of Object.entries({ ...ALWAYS, 'X-Request-Id': c.get('requestId') })) {
      if (!c.res.headers.has(name)) c.header(name, value);
    }
  });
  if (certificates) {
    app.route('/', verificationPages(store, certificates, clock));
    app.route('/', downloads(store, certificates.links, clock));
  }
  if (operator) app.route('/', operatorPages({ ...deps, operator }));
  app.route('/', homePages(call, { clock, baseUrl, onFailure: failed }));
  app.route('/', betaPages(deps));
  app.route('/', docPages(deps));
  app.route('/', pageAssets());
  const yaml = openapiYaml();
  app.use('/openapi.yaml', etag());
  app.get('/openapi.yaml', c =>
    c.text(yaml, 200, { 'Content-Type': 'application/yaml', 'Cache-Control': 'public, max-age=300' }),
  );
  app.get('/healthz', c => c.json({ status: 'ok' }));
  app.get('/readyz', async c => {
    await store.ready().catch(() => {
      throw new ApiError('unavailable', { headers: { 'Retry-After': '5' } });
    });
    return c.json({ status: 'ready' });
  });

  app.notFound(c => {
    const allowed = METHODS.filter(method =>
      app.router.match(method, c.req.path)[0].some(([[, route]]) => route.method === method),
    );
    if (allowed.length === 0) return errorResponse(c, new ApiError('not_found'));
    return errorResponse(c, new ApiError('method_not_allowed', { headers: { Allow: allowed.join(', ') } }));
  });
  app.onError((error, c) => {
    if (error instanceof ApiError) return errorResponse(c, error);
    failed(error, c.get('requestId'));
    return errorResponse(c, new ApiError('internal'));
  });
  return app;
}
