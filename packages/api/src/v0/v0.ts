import { Hono } from 'hono';
import { cors } from 'hono/cors';
import type { ApiEnv } from '../http/context.ts';
import { jsonResponse } from '../http/json-response.ts';
import { parseApiRequest } from '../middleware/parse-api-request.ts';
import { routeOf } from '../operations/operation.ts';
import type { PublicCall } from './call.ts';
import { V0_OPERATIONS } from './operations/operations.gen.ts';

/**
 * v0 deprecation date (RFC 9745) and sunset date (RFC 8594), in milliseconds since the Unix epoch. The sunset date must
 * not be earlier than the deprecation date.
 */
export interface Retirement {
  deprecatedAt: number;
  sunsetAt: number;
}

/**
 * Creates the v0 routes, which don't require an API key: single-code lookups and single-page scans, with CORS for any
 * origin. Rate limits apply per client network. The `X-Api-Stability` header in every response marks v0 as unstable.
 *
 * @param openapi returns the OpenAPI document for v0 as JSON
 */
export function v0Routes(call: PublicCall, retirement: Retirement | null, openapi: () => string): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  const stabilityHeaders = { 'X-Api-Stability': 'unstable', ...(retirement ? retirementHeaders(retirement) : {}) };
  const publicCors = cors({
    origin: '*',
    allowMethods: ['GET'],
    exposeHeaders: ['RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id', ...Object.keys(stabilityHeaders)],
    maxAge: 86_400,
  });

  app.use('/api/v0/*', publicCors, async (c, next) => {
    Object.assign(c.get('responseHeaders'), stabilityHeaders);
    await next();
  });
  for (const operation of V0_OPERATIONS) {
    app.on(operation.method, routeOf(operation), async c => {
      c.set('endpoint', operation);
      const result = await call(c, operation, () => parseApiRequest(c, operation));
      return jsonResponse(c, 200, JSON.stringify(result));
    });
  }

  app.use('/api/openapi.json', publicCors);
  app.get('/api/openapi.json', c => jsonResponse(c, 200, openapi(), { 'Cache-Control': 'public, max-age=300' }));
  return app;
}

function retirementHeaders({ deprecatedAt, sunsetAt }: Retirement): Record<string, string> {
  return {
    Deprecation: `@${Math.floor(deprecatedAt / 1000)}`,
    Sunset: new Date(sunsetAt).toUTCString(),
    Link: '</openapi.yaml>; rel="successor-version"',
  };
}
