import type { Dataset } from '@compliance/core/tariff';
import type { Scanner } from '@compliance/crawler';
import type { LimitQuotas, Store } from '@compliance/store';
import type { Context } from 'hono';
import type { z } from 'zod';
import { clientNetwork } from '../http/client-network.ts';
import type { ApiEnv } from '../http/context.ts';
import { poolCallerOf } from '../http/pool-caller.ts';
import { enforceRateLimit, setRateLimitHeaders } from '../middleware/rate-limit.ts';
import type { PublicOperation } from '../operations/operation.ts';

/** Rate limit of 30 requests per minute. The daily quota equals 24 hours at that rate. */
const QUOTAS: LimitQuotas = { minute: 30, day: 30 * 60 * 24 };

/** v0 call dependencies. */
export interface PublicCallDeps {
  store: Store;
  /** Returns milliseconds since the Unix epoch. */
  clock: () => number;
  /** Returns the data set for a request. */
  dataset: () => Dataset;
  scanner: Scanner | null;
  /** Number of trusted reverse proxies in front of the service. */
  trustedProxies: number;
}

/** Calls a v0 operation for an API request or a page form. */
export type PublicCall = <Request extends z.ZodType, Response extends z.ZodType>(
  c: Context<ApiEnv>,
  operation: PublicOperation<Request, Response>,
  /** Parses the request. Called only if the client hasn't exceeded its rate limit. */
  read: () => z.output<Request> | Promise<z.output<Request>>,
) => Promise<z.output<Response>>;

/**
 * Creates the function that calls v0 operations. API requests and forms from the same client network share one limit.
 *
 * @throws ApiError `rate_limited` from the returned function, and any error that `read` or the operation throws
 * @example
 * const call = createPublicCall({ store, clock: Date.now, dataset: () => DATASET, scanner: null, trustedProxies: 0 });
 * app.get('/one', async c => c.json(await call(c, hts, () => ({ code: '7318.15.2061' }))));
 */
export function createPublicCall({ store, clock, dataset, scanner, trustedProxies }: PublicCallDeps): PublicCall {
  return async (c, operation, read) => {
    const now = clock();
    const network = clientNetwork(c, trustedProxies);
    const take = await store.limits.take(`address ${network}`, QUOTAS);
    setRateLimitHeaders(c, take, now);
    enforceRateLimit(take, now);
    const poolCaller = poolCallerOf(c, { lane: 'keyless', tenant: network });
    return await operation.handler(await read(), { now, dataset: dataset(), scanner, poolCaller }, {});
  };
}
