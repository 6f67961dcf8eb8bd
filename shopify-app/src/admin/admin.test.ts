import { GraphqlQueryError, HttpRequestError } from '@shopify/shopify-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type AppHarness, startAppHarness } from '../../test/harness.ts';
import { createApp } from '../context/app.ts';
import { type Admin, AdminApiError, createAdmin } from './admin.ts';
import { defineAdminOperation } from './operations/define-admin-operation.ts';
import { shopContext } from './operations/shop-context.ts';

let harness: AppHarness;
let domain: string;
let admin: Admin;
beforeAll(async () => {
  harness = await startAppHarness({ jobsAtOnce: 0 });
  domain = await harness.newShop();
  await harness.visit(domain);
  admin = createApp({ config: harness.config, store: harness.store, clock: Date.now }).offlineContext(domain).admin;
});
afterAll(() => harness.close());

const plan = (...planned: Parameters<AppHarness['fakeShopify']['faults']['plan']>) =>
  harness.fakeShopify.faults.plan(...planned);
const calls = () => harness.fakeShopify.calls.filter(({ operation }) => operation === 'ShopContext').length;
const faultOf = async (asked: Promise<unknown>) => {
  const error = await asked.then(
    () => null,
    error => error,
  );
  expect(error).toBeInstanceOf(AdminApiError);
  expect(error.message).toBe(`ShopContext: ${error.fault}`);
  return error.fault;
};

describe('Admin API client', () => {
  it('returns a response that matches the operation’s schema', async () => {
    const { shop } = await admin.run(shopContext, {});
    expect(shop).toMatchObject({ ianaTimezone: 'America/New_York' });
  });

  it.each([
    ['was throttled', { kind: 'throttled' }],
    ['was throttled by HTTP status', { kind: 'status', status: 429 }],
    ['failed', { kind: 'status', status: 503 }],
    ['was cut off', { kind: 'broken' }],
  ] as const)('retries a request that %s', async (_, fault) => {
    const before = calls();
    plan(fault, { operation: 'ShopContext', times: 2 });
    await admin.run(shopContext, {});
    expect(calls() - before).toBe(3);
  });

  it.each([
    [402, 'frozen'],
    [403, 'forbidden'],
    [404, 'unavailable'],
    [423, 'frozen'],
  ] as const)('doesn’t retry a request after status %i, and reports the error %s', async (status, fault) => {
    const before = calls();
    plan({ kind: 'status', status }, { operation: 'ShopContext' });
    expect(await faultOf(admin.run(shopContext, {}))).toBe(fault);
    expect(calls() - before).toBe(1);
  });

  it('reports a `forbidden` error when the app lacks the scope that an operation requires', async () => {
    const scriptTags = defineAdminOperation()(
      '#graphql\nquery ShopContext { scriptTags(first: 1) { nodes { id } } }',
      z.object({ scriptTags: z.unknown() }),
    );
    expect(await faultOf(admin.run(scriptTags, {}))).toBe('forbidden');
  });

  it('reports an `unexpected` error for an invalid document and for an invalid response', async () => {
    const wrong = defineAdminOperation()('#graphql\nquery ShopContext { shop { nonsense } }', z.object({}));
    expect(await faultOf(admin.run(wrong, {}))).toBe('unexpected');
    const other = defineAdminOperation()(
      '#graphql\nquery ShopContext { shop { name } }',
      z.object({ shop: z.string() }),
    );
    expect(await faultOf(admin.run(other, {}))).toBe('unexpected');
  });

  it('stops a request when the job’s signal is aborted', async () => {
    plan({ kind: 'slow', ms: 3_000 }, { operation: 'ShopContext' });
    const over = AbortSignal.timeout(100);
    const started = Date.now();
    const error = await admin.run(shopContext, {}, { signal: over }).catch(error => error);
    expect(error).not.toBeInstanceOf(AdminApiError);
    expect(Date.now() - started).toBeLessThan(2_000);
  });
});

describe('Admin API calls from a page', () => {
  it('rejects a page’s request after a short timeout instead of waiting for throttling to end', async () => {
    const answers: (() => Promise<Response>)[] = [];
    const page = createAdmin((_, { signal }) => answers.shift()?.() ?? never(signal), {
      totalMs: 800,
      responseMs: 200,
    });
    expect(await faultOf(page.run(shopContext, {}))).toBe('unavailable');
    // The rate limit bucket takes 20 seconds to refill. A page can't wait that long.
    answers.push(async () => Promise.reject(throttled(1_000, 0, 50)));
    const started = Date.now();
    expect(await faultOf(page.run(shopContext, {}))).toBe('throttled');
    expect(Date.now() - started).toBeLessThan(500);
  });

  it('rethrows the Shopify package’s redirects and 401 responses, and maps other statuses to error codes', async () => {
    const away = new Response(null, { status: 302, headers: { Location: '/auth/session-token' } });
    const unauthorized = new Response(null, { status: 401 });
    for (const answer of [away, unauthorized]) {
      const page = createAdmin(async () => Promise.reject(answer), { totalMs: 0, responseMs: 1_000 });
      expect(await page.run(shopContext, {}).catch(error => error)).toBe(answer);
    }
    for (const [status, fault] of [
      [403, 'forbidden'],
      [402, 'frozen'],
      [429, 'throttled'],
      [500, 'unavailable'],
    ] as const) {
      const failed = new Response('the response body from Shopify', { status });
      const page = createAdmin(async () => Promise.reject(failed), { totalMs: 0, responseMs: 1_000 });
      expect(await faultOf(page.run(shopContext, {}))).toBe(fault);
    }
  });
});

/**
 * Returns a promise that stays pending until the signal is aborted. The promise then rejects with the error that
 * Shopify's client throws for a failed request.
 */
const never = (signal: AbortSignal): Promise<Response> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new HttpRequestError('aborted'))));

function throttled(requestedQueryCost: number, currentlyAvailable: number, restoreRate: number): GraphqlQueryError {
  return new GraphqlQueryError({
    message: 'Throttled',
    response: {},
    body: {
      errors: { graphQLErrors: [{ extensions: { code: 'THROTTLED' } }] },
      extensions: { cost: { requestedQueryCost, throttleStatus: { currentlyAvailable, restoreRate } } },
    },
  });
}
