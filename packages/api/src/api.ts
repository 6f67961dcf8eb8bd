import type { FlagList } from '@compliance/core/entry';
import { DATASET, type Dataset, type Nomenclature } from '@compliance/core/tariff';
import type { Scanner, SiteScanner } from '@compliance/crawler';
import { createReadiness, type ReadinessReport } from '@compliance/server/readiness';
import type { KeyScope, Store } from '@compliance/store';
import { Hono } from 'hono';
import { etag } from 'hono/etag';
import { createAssess } from './adapters/tariff-assess.ts';
import { createLookUp } from './adapters/tariff-lookup.ts';
import { betaPages } from './beta/beta.ts';
import { type CertificateDeps, createCertificateService } from './certificates/certificate-service.ts';
import { downloadRoutes } from './certificates/download.ts';
import { createDelivery } from './certificates/marked-pdf.ts';
import { verificationPages } from './certificates/page.ts';
import { verificationRoutes } from './certificates/verification.ts';
import { docPages } from './docs/docs.ts';
import { feedRoutes } from './docs/feeds.ts';
import { ApiError } from './errors/api-error.ts';
import { homePages } from './home/home.ts';
import type { Connection } from './http/client-network.ts';
import type { ApiEnv } from './http/context.ts';
import { errorResponse, recordError } from './http/error-response.ts';
import { DEFAULT_HEADERS, jsonResponse } from './http/json-response.ts';
import { poolCallerOf } from './http/pool-caller.ts';
import type { InputSources } from './jobs/input-sources.ts';
import type { JobLinks } from './jobs/job-links.ts';
import type { ReadParquet } from './jobs/parquet/parquet-lines.ts';
import { jobRoutes } from './jobs/routes.ts';
import { mcpRoutes } from './mcp/mcp.ts';
import { authorize, createAuthenticator } from './middleware/authenticate.ts';
import { parseApiRequest, parsePathParams } from './middleware/parse-api-request.ts';
import { enforceRateLimit, setRateLimitHeaders } from './middleware/rate-limit.ts';
import { assignRequestId } from './middleware/request-id.ts';
import { failureFacts, observeRequests, type RequestLog, type RequestMetrics } from './observability/observe.ts';
import { traceRequests } from './observability/trace-requests.ts';
import { openapiV0Json, openapiYaml } from './openapi/document.ts';
import { routeOf } from './operations/operation.ts';
import { OPERATIONS } from './operations/operations.gen.ts';
import { operatorPages } from './operator/operator.ts';
import type { OperatorAccess } from './operator/shared/context.ts';
import { pageAssets } from './pages/assets.ts';
import { createPublicCall } from './v0/call.ts';
import { type Retirement, v0Routes } from './v0/v0.ts';
import type { WebhookSecrets } from './watches/webhook-secrets.ts';

/** API dependencies. The API never accesses environment variables, the system clock, or the file system directly. */
export interface ApiDeps {
  store: Store;
  /** Returns the current time, in milliseconds since the Unix epoch. */
  clock: () => number;
  /**
   * Returns the data set for a request (default: the bundled data set). The data set can change while the API is
   * running.
   */
  dataset?: () => Dataset;
  /** The imported HTS export, which determines which codes exist and provides the column 1 and column 2 rates. */
  nomenclature?: Nomenclature | null;
  /**
   * HTS codes that CPSC flags for eFiling. Without this list, responses to lookups that request flags state that the
   * list isn't loaded.
   */
  flags?: FlagList | null;
  /** Storefront scanner. Without a scanner, scans fail with `unavailable`. */
  scanner?: Scanner | null;
  /** Whole-site scanner. Without a site scanner, site scans fail with `unavailable`. */
  siteScanner?: SiteScanner | null;
  /**
   * Certificate settings: PDF rendering, link-signing keys, and the public base URL. Without these settings,
   * certificates can't be issued.
   */
  certificates?: CertificateDeps | null;
  /** Secrets for signing watch webhooks. Without them, watches can't have webhooks. */
  webhookSecrets?: WebhookSecrets | null;
  /** Signed links to job files. Without them, job operations fail with `unavailable`. */
  jobLinks?: JobLinks | null;
  /** Reads Parquet files. Without this function, jobs with Parquet input fail with `unavailable`. */
  readParquet?: ReadParquet | null;
  /** Fetches job input from URLs. Without this dependency, jobs with an `input_url` fail with `unavailable`. */
  inputSources?: InputSources | null;
  /** Whether the service's workers render pages in a browser. By default, jobs that render pages are rejected. */
  rendersPages?: boolean;
  /** Checks the operator secret. Without this dependency, `/operator` returns 404. */
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
   * Number of trusted reverse proxies in front of the service (default: 0). Each trusted proxy must append its
   * peer's IP address to `X-Forwarded-For`.
   */
  trustedProxies?: number;
  /** Readiness checks for `/readyz`. By default, only the store and the tariff lists are checked. */
  readiness?: () => Promise<ReadinessReport>;
  /** v0 deprecation and sunset dates, if v0 is scheduled for retirement. */
  v0Retirement?: Retirement | null;
}

/** The API as a fetch handler, whose second argument contains connection details from the runtime. */
export interface Api {
  fetch: (request: Request, connection?: Connection) => Response | Promise<Response>;
}

/** Returns the HTTP methods for operations with exactly this path. Paths with parameters are never matched. */
function methodsOfPath(path: string): string[] {
  const methods = OPERATIONS.filter(operation => operation.path === path).map(({ method }) => method.toUpperCase());
  return methods.sort();
}

/** Response header for a failed readiness probe: the number of seconds to wait before the next probe. */
const RETRY_READINESS = { 'Retry-After': '5' };

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Creates the API as a single fetch handler, which works in any runtime that has `Request` and `Response`.
 *
 * @example
 * const api = createApi({ store: await openStore({ dataDir: './data', clock: Date.now }), clock: Date.now });
 * serve({ fetch: api.fetch, port: 8787 });
 */
export function createApi(deps: ApiDeps): Api {
  const {
    store,
    clock,
    nomenclature = null,
    flags = null,
    onFailure,
    log,
    metrics,
    trustedProxies = 0,
    v0Retirement = null,
  } = deps;
  const { dataset: currentDataset = () => DATASET } = deps;
  const { scanner = null, siteScanner = null, certificates = null, webhookSecrets = null, operator, baseUrl } = deps;
  const { jobLinks = null, readParquet = null, inputSources = null, rendersPages = false } = deps;
  const { readiness = createReadiness({ store, clock, dataset: currentDataset }) } = deps;
  const deliver = certificates && createDelivery(store, certificates.drawing);
  const service = certificates && deliver && createCertificateService(store, certificates, deliver);
  const authenticate = createAuthenticator(store);
  const app = new Hono<ApiEnv>();
  app.use(assignRequestId);
  app.use(traceRequests);
  if (log || metrics || onFailure) app.use(observeRequests({ log, metrics, onFailure }));

  for (const operation of OPERATIONS) {
    app.on(operation.method, routeOf(operation), async c => {
      // A fixed path, such as /gcc/generate, must not match an operation with path parameters, such as /gcc/{id}.
      if (operation.path !== c.req.path && methodsOfPath(c.req.path).length > 0) return c.notFound();
      c.set('endpoint', operation);
      c.get('responseHeaders').Vary = 'Authorization, Accept';
      const key = await authenticate(c);
      c.set('keyId', key.id);
      // Count every authenticated request, including those that fail authorization or validation.
      const now = clock();
      const take = await store.limits.take(key.family, undefined, operation.cost);
      setRateLimitHeaders(c, take, now);
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
      // The request uses the same data set throughout, even if a new data set is installed in the meantime.
      const dataset = currentDataset();
      const lookUp = createLookUp(dataset, nomenclature, flags);
      const assess = createAssess(dataset, nomenclature);
      const { watches, bulkJobs: jobs } = store;
      const context = {
        now,
        dataset,
        lookUp,
        assess,
        watches,
        jobs,
        jobLinks,
        inputSources,
        rendersPages,
        keyScope: key.scope,
        authorizeScope: (scope: KeyScope) => authorize(key, scope),
        webhookSecrets,
        scanner,
        siteScanner,
        certificates: service,
        caller,
        poolCaller,
      };
      const response = await operation.handler(request, context, params);
      const json = operation.serialize ? operation.serialize(response) : JSON.stringify(response);
      // Send the response without waiting for usage to be recorded. If recording fails, report an internal error.
      store.usage.record({ keyId: key.id, operation: operation.id }).catch(error => {
        log?.error(failureFacts(error, caller.requestId), "couldn't record usage for a successful request");
        onFailure?.(error, caller.requestId);
      });
      return jsonResponse(c, 200, json);
    });
  }
  const call = createPublicCall({ store, clock, dataset: currentDataset, scanner, trustedProxies });
  app.route('/', v0Routes(call, v0Retirement, openapiV0Json));

  // Set default headers for all routes registered after this middleware. The API operations above set their own
  // headers.
  app.use(async (c, next) => {
    await next();
    const { traceresponse } = c.get('responseHeaders');
    const headers = { ...DEFAULT_HEADERS, 'X-Request-Id': c.get('requestId'), ...(traceresponse && { traceresponse }) };
    for (const [name, value] of Object.entries(headers)) {
      if (!c.res.headers.has(name)) c.header(name, value);
    }
  });
  if (certificates && deliver) {
    const delivery = { ...certificates, deliver, trustedProxies };
    app.route('/', verificationPages(store, delivery, clock));
    app.route('/', verificationRoutes(store, delivery));
    app.route('/', downloadRoutes(store, delivery, clock));
  }
  if (jobLinks) app.route('/', jobRoutes({ store, readParquet, links: jobLinks, clock, deliver }));
  if (operator) app.route('/', operatorPages({ ...deps, operator, dataset: currentDataset }));
  app.route(
    '/',
    mcpRoutes({
      ...{ store, clock, dataset: currentDataset, baseUrl, authenticate, onFailure },
      fetch: (request, connection) => app.fetch(request, connection),
    }),
  );
  app.route('/', homePages(call, { clock, baseUrl, dataset: currentDataset }));
  app.route('/', betaPages(deps));
  app.route('/', docPages({ ...deps, dataset: currentDataset }));
  app.route('/', feedRoutes({ baseUrl, dataset: currentDataset }));
  app.route('/', pageAssets());
  app.use('/openapi.yaml', etag());
  app.get('/openapi.yaml', c =>
    c.text(openapiYaml(), 200, { 'Content-Type': 'application/yaml', 'Cache-Control': 'public, max-age=300' }),
  );
  app.get('/healthz', c => c.json({ status: 'ok' }));
  app.get('/readyz', async c => {
    const { failure, ...report } = await readiness();
    if (report.status === 'ready') return c.json(report);
    if (failure) recordError(c, failure);
    else c.set('isPlanned', true);
    const code = c.get('error') === 'storage_full' ? 'storage_full' : 'unavailable';
    return errorResponse(c, new ApiError(code, { headers: RETRY_READINESS, detail: report }));
  });

  app.notFound(c => {
    const known = methodsOfPath(c.req.path);
    const matches = (method: string) =>
      app.router.match(method, c.req.path)[0].some(([[, route]]) => route.method === method);
    const allowed = known.length > 0 ? known : METHODS.filter(matches);
    if (allowed.length === 0) return errorResponse(c, new ApiError('not_found'));
    return errorResponse(c, new ApiError('method_not_allowed', { headers: { Allow: allowed.join(', ') } }));
  });
  app.onError((error, c) => errorResponse(c, recordError(c, error)));
  return app;
}
