import type { Nomenclature } from '@compliance/core/tariff';
import type { LimitQuotas, Store } from '@compliance/store';
import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { answer } from '../answer.ts';
import type { ApiEnv } from '../context.ts';
import { clientOf } from '../gates/client-address.ts';
import { inputOf } from '../gates/input.ts';
import { showLimit, withinLimit } from '../gates/limit.ts';
import { openapiV0 } from '../openapi/document.ts';
import { routeOf } from '../operations/operation.ts';
import { V0_OPERATIONS } from './operations/operations.gen.ts';

/** 30 requests a minute; a day of such minutes is no further limit. */
const QUOTAS: LimitQuotas = { minute: 30, day: 30 * 60 * 24 };

/** When v0 ends: RFC 9745 and RFC 8594. Milliseconds since 1970; the sunset is not before the deprecation. */
export interface Retirement {
  deprecatedAt: number;
  sunsetAt: number;
}

/** What v0 works with. */
export interface V0Deps {
  store: Store;
  clock: () => number;
  nomenclature: Nomenclature | null;
  /** How many proxies of ours stand before the service. */
  trustedProxies: number;
  retirement: Retirement | null;
}

/**
 * The keyless surface: the same lists, one code at a time, for any page of any origin. Limits count by address. Answers may
 * change shape, and every one says so.
 */
export function v0({ store, clock, nomenclature, trustedProxies, retirement }: V0Deps): Hono<ApiEnv> {
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
      const now = clock();
      const take = await store.limits.take(`address ${clientOf(c, trustedProxies)}`, QUOTAS);
      showLimit(c, take, now);
      withinLimit(take, now);
      const request = await inputOf(c, operation);
      return answer(c, 200, JSON.stringify(await operation.handle(request, { now, nomenclature })));
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
