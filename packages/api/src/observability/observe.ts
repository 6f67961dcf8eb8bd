import type { MiddlewareHandler } from 'hono';
import { ClientClosedRequest, isClientGone } from '../http/client-closed.ts';
import type { ApiEnv } from '../http/context.ts';
import { routeNames } from './trace-requests.ts';

/** Log fields for one request. Only the request ID, the trace ID, and the method can come from the client. */
export interface RequestFacts {
  readonly request_id: string;
  /** ID of the request's trace; unset if the process doesn't trace requests. */
  readonly trace_id?: string;
  readonly span_id?: string;
  readonly method: string;
  /** The route pattern, such as `/api/v0/hts/{code}`; null for an unknown path. */
  readonly route: string | null;
  /** Operation ID; null for pages. */
  readonly operation: string | null;
  /** HTTP status. If the client closed the connection before the response, the status is 499. */
  readonly status: number;
  /** Time until the response was ready to send, in milliseconds. */
  readonly ms: number;
  /** ID of the API key (never the key itself), or null if the request isn't authenticated. */
  readonly key_id: string | null;
  /** Error code in the response; null if there is no error. */
  readonly error: string | null;
}

/** Log fields for an internal error. The error message is omitted because it can contain data from the client. */
export interface FailureFacts {
  readonly request_id: string;
  readonly failure: string;
  /** The error's code, such as the store's `storage_full`; null if the error doesn't have one. */
  readonly code: string | null;
  /** The error's stack frames. */
  readonly at: readonly string[];
}

/** A log for requests and internal errors, such as a pino logger. */
export interface RequestLog {
  info(facts: RequestFacts, message: string): void;
  /**
   * Logs a request that the service couldn't process (status 5xx) or an internal error that occurred after the
   * response. A failed request is logged once, with the details of the internal error that caused it, if any.
   */
  error(facts: RequestFacts | FailureFacts | (RequestFacts & FailureFacts), message: string): void;
}

/** Request metrics. `createMetrics` returns an implementation. */
export interface RequestMetrics {
  count(facts: RequestFacts): void;
}

/** Destinations for logs, metrics, and internal errors. */
export interface Observers {
  log?: RequestLog | undefined;
  metrics?: RequestMetrics | undefined;
  /** Receives each internal error. */
  onFailure?: ((failure: unknown, requestId: string) => void) | undefined;
}

/** Status and error code for a request whose client closed the connection before the response, as in nginx. */
const CLIENT_CLOSED = { status: 499, error: 'client_closed_request' };

/** Creates middleware that logs and counts every request, and reports the internal errors that handlers recorded. */
export function observeRequests({ log, metrics, onFailure }: Observers): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const started = performance.now();
    await next();
    const failure = c.get('failure');
    const isClosed = failure === undefined ? isClientGone(c) : failure instanceof ClientClosedRequest;
    if (isClosed) c.res = new Response(null, { status: CLIENT_CLOSED.status });
    const span = c.get('span');
    const facts: RequestFacts = {
      request_id: c.get('requestId'),
      ...(span && { trace_id: span.traceId, span_id: span.spanId }),
      method: c.req.method,
      ...routeNames(c),
      status: c.res.status,
      ms: Math.round((performance.now() - started) * 1000) / 1000,
      key_id: c.get('keyId') ?? null,
      error: isClosed ? CLIENT_CLOSED.error : (c.get('error') ?? null),
    };
    metrics?.count(facts);
    if (facts.status < 500 || c.get('isPlanned')) return log?.info(facts, 'request');
    if (failure === undefined) return log?.error(facts, 'request failed');
    log?.error({ ...facts, ...failureFacts(failure, facts.request_id) }, 'request failed');
    onFailure?.(failure, facts.request_id);
  };
}

/** Returns the parts of an error that are safe to log: its class, code, and stack frames. */
export function failureFacts(failure: unknown, requestId: string): FailureFacts {
  if (!(failure instanceof Error)) return { request_id: requestId, failure: typeof failure, code: null, at: [] };
  const { name, message, stack = '', code } = failure as Error & { code?: unknown };
  const frames = stack.slice(stack.indexOf(message) + message.length).split('\n');
  return {
    request_id: requestId,
    failure: name,
    code: typeof code === 'string' && /^\w{1,40}$/.test(code) ? code : null,
    at: frames.flatMap(line => /^ +at (.+:\d+:\d+\)?)$/.exec(line)?.[1] ?? []),
  };
}
