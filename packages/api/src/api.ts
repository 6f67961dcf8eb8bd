import type { Nomenclature } from '@compliance/core/tariff';
import type { Scanner, SiteScanner } from '@compliance/crawler';
import type { Store } from '@compliance/store';
import { Hono } from 'hono';
import { etag } from 'hono/etag';
import { createAssess } from './adapters/tariff-assess.ts';
import { createLookUp } from './adapters/tariff-lookup.ts';
import { betaPages } from './beta/beta.ts';
import { type CertificateDeps, createCertificateService } from './certificates/certificate-service.ts';
import { downloadRoutes } from './certificates/download.ts';
import { createDelivery } from './certificates/marked-pdf.ts';
import { verificationPages } from './certificates/page.ts';
import { docPages } from './docs/docs.ts';
import { ApiError } from './errors/api-error.ts';
import { homePages } from './home/home.ts';
import type { Connection } from './http/client-network.ts';
import type { ApiEnv } from './http/context.ts';
import { errorResponse } from './http/error-response.ts';
import { DEFAULT_HEADERS, jsonResponse } from './http/json-response.ts';
import { poolCallerOf } from './http/pool-caller.ts';
import { authorize, createAuthenticator } from './middleware/authenticate.ts';
import { parseApiRequest, parsePathParams } from './middleware/parse-api-request.ts';
import { enforceRateLimit, setRateLimitHeaders } from './middleware/rate-limit.ts';
import { assignRequestId } from './middleware/request-id.ts';
import { failureFacts, observeRequests, type RequestLog, type RequestMetrics } from './observability/observe.ts';
import { openapiV0, openapiYaml } from './openapi/document.ts';
import { routeOf } from './operations/operation.ts';
import { OPERATIONS } from './operations/operations.gen.ts';
import { operatorPages } from './operator/operator.ts';
import type { OperatorAccess } from './operator/shared/context.ts';
import { pageAssets } from './pages/assets.ts';
import { createPublicCall } from './v0/call.ts';
import { type Retirement, v0Routes } from './v0/v0.ts';

/** API dependencies. The API never accesses environment variables, the system clock, or the file system directly. */
export interface ApiDeps {
  store: Store;
  /** Returns milliseconds since the Unix epoch. */
  clock: () => number;
  /** The official HTS export that determines which codes exist. */
  nomenclature?: Nomenclature | null;
  /** Storefront scanner. Without a scanner, scans fail with `unavailable`. */
  scanner?: Scanner | null;
  /** Scanner for whole sites. Without it, site scans fail with `unavailable`. */
  siteScanner?: SiteScanner | null;
  /**
   * Certificate settings: drawing, link signing keys, and the public base URL. Without these settings, certificates can't
   * be issued.
   */
  certificates?: CertificateDeps | null;
  /** Operator secret check. Without this dependency, `/operator` returns 404. */
  operator?: OperatorAccess;
  /**
   * The public base URL of the service, such as `https://compliance.example`. If this URL uses HTTPS, cookies are
   * marked `Secure`.
   */
  baseUrl?: string | undefined;
  /** Callback for internal errors. The client receives only a generic error and the request ID. */
  onFailure?: (failure: unknown, requestId: string) => void;
  /** Log for requests and internal errors. Without this dependency, nothing is logged. */
  log?: RequestLog;
  /** Request metrics, created with `createMetrics`. */
  metrics?: RequestMetrics;
  /**
   * Number of trusted reverse proxies in front of the service (default: 0). Each trusted proxy appends to `X-Forwarded-For`.
   */
  trustedProxies?: number;
  /** v0 deprecation and sunset dates, if v0 is scheduled for retirement. */
  v0Retirement?: Retirement | null;
}

/** The API as a fetch handler, whose second argument contains connection details from the runtime. */
export interface Api {
  fetch: (request: Request, connection?: Connection) => Response | Promise<Response>;
}

/** Returns the methods of the operations at a path without parameters. */
function methodsOfPath(path: string): string[] {
  const methods = OPERATIONS.filter(operation => operation.path === path).map(({ method }) => method.toUpperCase());
  return methods.sort();
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Creates the API as a single fetch handler, which works in any runtime that has `Request` and `Response`.
 *
 * @example
 * const api = createApi({ store: await openStore({ dataDir: './data', clock: Date.now }), clock: Date.now });
 * serve({ fetch: api.fetch, port: 8787 });
 */
export function createApi(deps: ApiDeps): Api {
  const { store, clock, nomenclature = null, onFailure, log, metrics, trustedProxies = 0, v0Retirement = null } = deps;
  const { scanner = null, siteScanner = null, certificates = null, operator, baseUrl } = deps;
  const deliver = certificates && createDelivery(store, certificates.drawing);
  const service = certificates && deliver && createCertificateService(store, certificates, deliver);
  const lookUp = createLookUp(nomenclature);
  const assess = createAssess(nomenclature);
  const authenticate = createAuthenticator(store);
  const reportFailure = (failure: unknown, requestId: string) => {
    log?.error(failureFacts(failure, requestId), 'failure');
    onFailure?.(failure, requestId);
  };
  const app = new Hono<ApiEnv>();
  app.use(assignRequestId);
  if (log || metrics) app.use(observeRequests(log, metrics));

  for (const operation of OPERATIONS) {
    app.on(operation.method, routeOf(operation), async c => {
      // A path without parameters, such as /gcc/generate, isn't the path of a certificate, such as /gcc/{id}.
      if (operation.path !== c.req.path && methodsOfPath(c.req.path).length > 0) return c.notFound();
      c.set('endpoint', operation);
      const key = await authenticate(c);
      c.set('keyId', key.id);
      // Count every authenticated request, including those that fail authorization or validation.
      const now = clock();
      const take = await store.limits.take(key.family, undefined, operation.cost);
      setRateLimitHeaders(c, take, now);
      c.get('responseHeaders').Vary = 'Authorization, Accept';
      authorize(key, operation.scope);
      enforceRateLimit(take, now);
      const request = await parseApiRequest(c, operation);
      const params = parsePathParams(c, operation);
      const poolCaller = poolCallerOf(c, { lane: 'keyed', tenant: key.family });
      const caller = {
        now,
        family: key.family,
        keyId: key.id,
        requestId: c.get('requestId'),
        idempotencyKey: c.req.header('idempotency-key') ?? null,
        poolCaller,
      };
      const context = { now, lookUp, assess, scanner, siteScanner, certificates: service, caller, poolCaller };
      const json = JSON.stringify(await operation.handler(request, context, params));
      // Send the response without waiting for usage to be recorded. If recording fails, report an internal error.
      store.usage
        .record({ keyId: key.id, operation: operation.id })
        .catch(error => reportFailure(error, c.get('requestId')));
      return jsonResponse(c, 200, json);
    });
  }
  const call = createPublicCall({ store, clock, scanner, trustedProxies });
  app.route('/', v0Routes(call, v0Retirement, openapiV0()));

  // Set default headers for all routes registered after this middleware. The API operations above set their own
  // headers.
  app.use(async (c, next) => {
    await next();
    for (const [name, value] of Object.entries({ ...DEFAULT_HEADERS, 'X-Request-Id': c.get('requestId') })) {
      if (!c.res.headers.has(name)) c.header(name, value);
    }
  });
  if (certificates && deliver) {
    app.route('/', verificationPages(store, certificates, clock));
    app.route('/', downloadRoutes(store, { ...certificates, deliver, trustedProxies }, clock));
  }
  if (operator) app.route('/', operatorPages({ ...deps, operator }));
  app.route('/', homePages(call, { clock, baseUrl, onFailure: reportFailure }));
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
    const known = methodsOfPath(c.req.path);
    const matches = (method: string) =>
      app.router.match(method, c.req.path)[0].some(([[, route]]) => route.method === method);
    const allowed = known.length > 0 ? known : METHODS.filter(matches);
    if (allowed.length === 0) return errorResponse(c, new ApiError('not_found'));
    return errorResponse(c, new ApiError('method_not_allowed', { headers: { Allow: allowed.join(', ') } }));
  });
  app.onError((error, c) => {
    if (error instanceof ApiError) return errorResponse(c, error);
    reportFailure(error, c.get('requestId'));
    return errorResponse(c, new ApiError('internal'));
  });
  return app;
}
