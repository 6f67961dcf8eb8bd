import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { ApiEnv } from '../http/context.ts';

/** Log fields for one request. The request ID is the only field that can contain data from the client. */
export interface RequestFacts {
  readonly request_id: string;
  readonly method: string;
  /** The route pattern, such as `/api/v0/hts/{code}`; null for an unknown path. */
  readonly route: string | null;
  /** Operation ID; null for pages. */
  readonly operation: string | null;
  readonly status: number;
  /** Time until the response was ready to send, in milliseconds. */
  readonly ms: number;
  /** API key ID, never the key itself; null if the request isn't authenticated. */
  readonly key_id: string | null;
  /** Error code in the response; null if there is no error. */
  readonly error: string | null;
}

/** Log fields for an internal error. The error message is omitted because it can contain data from the client. */
export interface FailureFacts {
  readonly request_id: string;
  readonly failure: string;
  /** The error's stack frames. */
  readonly at: readonly string[];
}

/** A log for requests and internal errors, such as a pino logger. */
export interface RequestLog {
  info(facts: RequestFacts, message: string): void;
  error(facts: FailureFacts, message: string): void;
}

/** Request metrics. `createMetrics` returns an implementation. */
export interface RequestMetrics {
  count(facts: RequestFacts): void;
}

/** Creates middleware that logs and counts every request. */
export function observeRequests(
  log: RequestLog | undefined,
  metrics: RequestMetrics | undefined,
): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const started = performance.now();
    await next();
    const endpoint = c.get('endpoint');
    const page = matchedRoutes(c).find(({ path }) => !path.includes('*'));
    const facts: RequestFacts = {
      request_id: c.get('requestId'),
      method: c.req.method,
      route: endpoint?.path ?? page?.path ?? null,
      operation: endpoint?.id ?? null,
      status: c.res.status,
      ms: Math.round((performance.now() - started) * 1000) / 1000,
      key_id: c.get('keyId') ?? null,
      error: c.get('error') ?? null,
    };
    log?.info(facts, 'request');
    metrics?.count(facts);
  };
}

/** Returns the parts of an error that are safe to log: its class and stack frames. */
export function failureFacts(failure: unknown, requestId: string): FailureFacts {
  if (!(failure instanceof Error)) return { request_id: requestId, failure: typeof failure, at: [] };
  const { name, message, stack = '' } = failure;
  const frames = stack.slice(stack.indexOf(message) + message.length).split('\n');
  return {
    request_id: requestId,
    failure: name,
    at: frames.flatMap(line => /^ +at (.+:\d+:\d+\)?)$/.exec(line)?.[1] ?? []),
  };
}
