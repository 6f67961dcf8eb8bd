import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { answer } from '../answer.ts';
import type { ApiEnv } from '../context.ts';
import { inputOf } from '../gates/input.ts';
import { openapiV0 } from '../openapi/document.ts';
import { routeOf } from '../operations/operation.ts';
import type { OpenCall } from './call.ts';
import { V0_OPERATIONS } from './operations/operations.gen.ts';

/** When v0 ends: RFC 9745 and RFC 8594. Milliseconds since 1970; the sunset is not before the deprecation. */
export interface Retirement {
  deprecatedAt: number;
  sunsetAt: number;
}

/**
 * The keyless surface: the same lists and the same scan, one code or page at a time, for any page of any origin. Limits count
 * by address. Answers may change shape, and every one says so.
 */
export function v0(call: OpenCall, retirement: Retirement | null): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  const marks = { 'X-Api-Stability': 'unstable', ...(retirement ? retirementHeaders(retirement) : {}) };
  const shared = cors({
    origin: '*',
    allowMethods: ['GET'],
    exposeHeaders: ['RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id', ...Object.keys(marks)],
    maxAge: 86_400,
  });

  app.use('/api/v0/*', shared, async (c, next) => {
    Object.assign(c.get('carried'), marks);
    await next();
  });
  for (const operation of V0_OPERATIONS) {
    app.on(operation.method, routeOf(operation), async c => {
      c.set('endpoint', operation);
      const answered = await call(c, operation, () => inputOf(c, operation));
      return answer(c, 200, JSON.stringify(answered));
    });
  }

  const document = JSON.stringify(openapiV0());
  app.use('/api/openapi.json', shared);
  app.get('/api/openapi.json', c => answer(c, 200, document, { 'Cache-Control': 'public, max-age=300' }));
  return app;
}

function retirementHeaders({ deprecatedAt, sunsetAt }: Retirement): Record<string, string> {
  return {
    Deprecation: `@${Math.floor(deprecatedAt / 1000)}`,
    Sunset: new Date(sunsetAt).toUTCString(),
    Link: '</openapi.yaml>; rel="successor-version"',
  };
}
