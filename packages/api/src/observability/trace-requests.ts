import { context, propagation, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { ApiEnv } from '../http/context.ts';

/** Traces requests through the global OpenTelemetry API, which does nothing unless the process registers an SDK. */
const tracer = trace.getTracer('@compliance/api');

/** Methods that a span name can contain. Any other method is arbitrary text from the client. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Reads the W3C trace context headers from a request. */
const headerGetter = {
  get: (headers: Headers, name: string) => headers.get(name) ?? undefined,
  keys: () => [],
};

/**
 * Records a span for each sampled request, as the child of the span in the client's `traceparent`, if any. All of the
 * request's work, including its pool jobs and database statements, belongs to the span.
 *
 * The span's attributes never contain arbitrary text from the client. For example, `url.path` is the route pattern,
 * because the actual path can contain an HTS code or a signed link.
 */
export const traceRequests: MiddlewareHandler<ApiEnv> = (c, next) => {
  const { headers } = c.req.raw;
  const caller = headers.has('traceparent') ? propagation.extract(ROOT_CONTEXT, headers, headerGetter) : ROOT_CONTEXT;
  const method = METHODS.has(c.req.method) ? c.req.method : '_OTHER';
  const span = tracer.startSpan(method, { kind: SpanKind.SERVER }, caller);
  const spanContext = span.spanContext();
  if (!trace.isSpanContextValid(spanContext)) return next();
  c.set('span', spanContext);
  if (!span.isRecording()) return next();
  c.get('responseHeaders').traceresponse = `00-${spanContext.traceId}-${spanContext.spanId}-01`;
  return context.with(trace.setSpan(caller, span), async () => {
    try {
      await next();
    } finally {
      endSpan(span, method, c);
    }
  });
};

function endSpan(span: Span, method: string, c: Parameters<typeof traceRequests>[0]): void {
  const { route, operation } = routeNames(c);
  const { status } = c.res;
  span.updateName(route === null ? method : `${method} ${route}`);
  span.setAttribute('http.request.method', method);
  span.setAttribute('http.response.status_code', status);
  span.setAttribute('url.scheme', c.req.url.startsWith('https:') ? 'https' : 'http');
  span.setAttribute('url.path', route ?? 'REDACTED');
  if (route !== null) span.setAttribute('http.route', route);
  if (operation !== null) span.setAttribute('compliance.operation', operation);
  const error = c.get('error');
  if (error !== undefined) span.setAttribute('error.type', error);
  if (status >= 500 && !c.get('isPlanned')) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** Returns the route pattern (null for an unknown path) and the operation ID (null for a page). */
export function routeNames(c: Parameters<typeof traceRequests>[0]): {
  readonly route: string | null;
  readonly operation: string | null;
} {
  const endpoint = c.get('endpoint');
  if (endpoint) return { route: endpoint.path, operation: endpoint.id };
  const page = matchedRoutes(c).find(({ path }) => !path.includes('*'));
  return { route: page?.path ?? null, operation: null };
}
