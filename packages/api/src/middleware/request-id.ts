import type { MiddlewareHandler } from 'hono';
import type { ApiEnv } from '../http/context.ts';

const SAFE_ID = /^[\w-]{1,64}$/;

/** Assigns the request ID: the client's `X-Request-Id` if it's safe to echo, or a new ID otherwise. */
export const assignRequestId: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const requested = c.req.header('x-request-id');
  c.set('requestId', requested !== undefined && SAFE_ID.test(requested) ? requested : crypto.randomUUID());
  c.set('responseHeaders', {});
  await next();
};
