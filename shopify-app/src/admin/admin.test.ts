import { GraphqlQueryError, HttpRequestError } from '@shopify/shopify-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Beside, startBeside } from '../../test/beside.ts';
import { createApp } from '../app.ts';
import { type Admin, AdminFailed, createAdmin, defineOperation } from './admin.ts';
import { shopContext } from './operations/shop-context.ts';

let beside: Beside;
let domain: string;
let admin: Admin;
beforeAll(async () => {
  beside = await startBeside({ jobsAtOnce: 0 });
  domain = await beside.newShop();
  await beside.visit(domain);
  admin = createApp({ config: beside.config, store: beside.store, clock: Date.now }).merchantBehind(domain).admin;
});
afterAll(() => beside.close());

const plan = (...planned: Parameters<Beside['standIn']['faults']['plan']>) => beside.standIn.faults.plan(...planned);
const calls = () => beside.standIn.calls.filter(({ operation }) => operation === 'ShopContext').length;
const faultOf = async (asked: Promise<unknown>) => {
  const error = await asked.then(
    () => null,
    error => error,
  );
  expect(error).toBeInstanceOf(AdminFailed);
  expect(error.message).toBe(`ShopContext: ${error.fault}`);
  return error.fault;
};

describe('a question to the Admin API', () => {
  it('is answered in the shape that the operation promises', async () => {
    const { shop } = await admin.run(shopContext, {});
    expect(shop).toMatchObject({ ianaTimezone: 'America/New_York' });
  });

  it.each([
    ['is throttled', { kind: 'throttled' }],
    ['is throttled by HTTP', { kind: 'status', status: 429 }],
    ['fails', { kind: 'status', status: 503 }],
    ['is cut off', { kind: 'broken' }],
  ] as const)('is asked again when it %s', async (_, fault) => {
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
  ] as const)('is not asked again after %i: it is %s', async (status, fault) => {
    const before = calls();
    plan({ kind: 'status', status }, { operation: 'ShopContext' });
    expect(await faultOf(admin.run(shopContext, {}))).toBe(fault);
    expect(calls() - before).toBe(1);
  });

  it('without its scope is forbidden', async () => {
    const scriptTags = defineOperation()(
      '#graphql\nquery ShopContext { scriptTags(first: 1) { nodes { id } } }',
      z.object({ scriptTags: z.unknown() }),
    );
    expect(await faultOf(admin.run(scriptTags, {}))).toBe('forbidden');
  });

  it('that Shopify does not take, or answers in another shape, is unexpected', async () => {
    const wrong = defineOperation()('#graphql\nquery ShopContext { shop { nonsense } }', z.object({}));
    expect(await faultOf(admin.run(wrong, {}))).toBe('unexpected');
    const other = defineOperation()('#graphql\nquery ShopContext { shop { name } }', z.object({ shop: z.string() }));
    expect(await faultOf(admin.run(other, {}))).toBe('unexpected');
  });

  it('ends when its job does', async () => {
    plan({ kind: 'slow', ms: 3_000 }, { operation: 'ShopContext' });
    const over = AbortSignal.timeout(100);
    const started = Date.now();
    const error = await admin.run(shopContext, {}, { signal: over }).catch(error => error);
    expect(error).not.toBeInstanceOf(AdminFailed);
    expect(Date.now() - started).toBeLessThan(2_000);
  });
});

describe('a page', () => {
  it('waits only for a moment: for an answer, and for throttling to pass', async () => {
    const answers: (() => Promise<Response>)[] = [];
    const page = createAdmin((_, { signal }) => answers.shift()?.() ?? never(signal), { longest: 800, answer: 200 });
    expect(await faultOf(page.run(shopContext, {}))).toBe('unavailable');
    // The bucket fills in twenty seconds; that is not waited for.
    answers.push(async () => Promise.reject(throttled(1_000, 0, 50)));
    const started = Date.now();
    expect(await faultOf(page.run(shopContext, {}))).toBe('throttled');
    expect(Date.now() - started).toBeLessThan(500);
  });

  it('lets the answers of Shopify’s package to the merchant pass, and reads the others', async () => {
    const away = new Response(null, { status: 302, headers: { Location: '/auth/session-token' } });
    const unauthorized = new Response(null, { status: 401 });
    for (const answer of [away, unauthorized]) {
      const page = createAdmin(async () => Promise.reject(answer), { longest: 0, answer: 1_000 });
      expect(await page.run(shopContext, {}).catch(error => error)).toBe(answer);
    }
    for (const [status, fault] of [
      [403, 'forbidden'],
      [402, 'frozen'],
      [429, 'throttled'],
      [500, 'unavailable'],
    ] as const) {
      const failed = new Response('what Shopify said', { status });
      const page = createAdmin(async () => Promise.reject(failed), { longest: 0, answer: 1_000 });
      expect(await faultOf(page.run(shopContext, {}))).toBe(fault);
    }
  });
});

/** An answer that does not come; at its end Shopify's client tells of a request that failed. */
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
