import type { PoolCaller } from '@compliance/crawler/pool';
import type { Context } from 'hono';
import type { ApiEnv } from './context.ts';

/**
 * Time limit from request to response, in milliseconds. The limit is shorter than the client libraries' default timeout
 * of 30 seconds, so clients receive the service's error instead of timing out.
 */
export const REQUEST_MS = 25_000;

/**
 * Returns a function that returns the `PoolCaller` for the request's pool jobs. The caller's signal is aborted when the
 * request's time limit passes or when the client disconnects. The signal is created on first use, because most requests
 * don't need it.
 *
 * @example const poolCaller = poolCallerOf(c, { lane: 'keyed', tenant: key.family });
 */
export function poolCallerOf(c: Context<ApiEnv>, identity: Pick<PoolCaller, 'lane' | 'tenant'>): () => PoolCaller {
  let caller: PoolCaller | undefined;
  return () => {
    caller ??= { ...identity, signal: AbortSignal.any([AbortSignal.timeout(REQUEST_MS), c.req.raw.signal]) };
    return caller;
  };
}
