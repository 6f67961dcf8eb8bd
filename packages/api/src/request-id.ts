import type { MiddlewareHandler } from 'hono';
import type { ApiEnv } from './context.ts';

const HARMLESS = /^[\w-]{1,64}$/;

/** Names the request: by the caller's `X-Request-Id` if that is harmless, else by a new id. `answer` sends it back. */
export const nameRequest: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const given = c.req.header('x-request-id');
  c.set('requestId', given !== undefined && HARMLESS.test(given) ? given : crypto.randomUUID());
  c.set('carried', {});
  await next();
};
