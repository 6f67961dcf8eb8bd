import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { ApiEnv } from './context.ts';

/** One answered request, in words that hold nothing of what the caller sent but the request id. */
export interface RequestFacts {
  readonly request_id: string;
  readonly method: string;
  /** The pattern of the path, such as `/api/v0/hts/{code}`; null for a path that is none. */
  readonly route: string | null;
  /** The operation's id; null on pages. */
  readonly operation: string | null;
  readonly status: number;
  /** Milliseconds until the answer was ready to be sent. */
  readonly ms: number;
  /** Id of the key, never the key; null without one that works. */
  readonly key_id: string | null;
  /** The code of the error that was answered. */
  readonly error: string | null;
}

/** A failure of the service itself. Its message is left out: messages can hold what a caller sent. */
export interface FailureFacts {
  readonly request_id: string;
  readonly failure: string;
  /** Where it happened: the frames of the stack. */
  readonly at: readonly string[];
}

/** Where requests are written down; a pino logger fits. */
export interface RequestLog {
  info(facts: RequestFacts, message: string): void;
  error(facts: FailureFacts, message: string): void;
}

/** Where requests are counted; {@link createMetrics} makes one. */
export interface RequestMetrics {
  count(facts: RequestFacts): void;
}

/** Tells log and metrics of every answered request. */
export function observe(log: RequestLog | undefined, metrics: RequestMetrics | undefined): MiddlewareHandler<ApiEnv> {
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

/** What may be written of a failure. */
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
