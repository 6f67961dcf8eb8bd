import type { Scanner } from '@compliance/crawler';
import type { LimitQuotas, Store } from '@compliance/store';
import type { Context } from 'hono';
import type { z } from 'zod';
import type { ApiEnv } from '../context.ts';
import { clientOf } from '../gates/client-address.ts';
import { showLimit, withinLimit } from '../gates/limit.ts';
import type { OpenOperation } from '../operations/operation.ts';

/** 30 requests a minute; a day of such minutes is no further limit. */
const QUOTAS: LimitQuotas = { minute: 30, day: 30 * 60 * 24 };

/** What v0 works with. */
export interface OpenCallDeps {
  store: Store;
  /** Milliseconds since 1970. */
  clock: () => number;
  scanner: Scanner | null;
  /** How many proxies of ours stand before the service. */
  trustedProxies: number;
}

/** Answers one call of an operation of v0, be it a request of the API or a form of a page. */
export type OpenCall = <Request extends z.ZodType, Response extends z.ZodType>(
  c: Context<ApiEnv>,
  operation: OpenOperation<Request, Response>,
  /** Reads the request; it runs when the caller's limit has let it through. */
  read: () => z.output<Request> | Promise<z.output<Request>>,
) => Promise<z.output<Response>>;

/**
 * The one way to the operations of v0, with one limit for each address, whichever door it comes by.
 *
 * @throws ApiError `rate_limited`, and what the reading and the operation throw
 * @example
 * const call = openCall({ store, clock: Date.now, scanner: null, trustedProxies: 0 });
 * app.get('/one', async c => c.json(await call(c, hts, () => ({ code: '7318.15.2061' }))));
 */
export function openCall({ store, clock, scanner, trustedProxies }: OpenCallDeps): OpenCall {
  return async (c, operation, read) => {
    const now = clock();
    const take = await store.limits.take(`address ${clientOf(c, trustedProxies)}`, QUOTAS);
    showLimit(c, take, now);
    withinLimit(take, now);
    return await operation.handle(await read(), { now, scanner });
  };
}
