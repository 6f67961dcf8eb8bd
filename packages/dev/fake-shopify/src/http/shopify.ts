import { setTimeout as wait } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { type AdminApi, VERSION } from '../admin/api.ts';
import type { Faults } from '../admin/fault.ts';
import type { FakeTokens } from '../admin/tokens.ts';
import type { RecordedCall } from '../calls.ts';
import { HOSTS, TARGET_HOST_HEADER } from '../hosts.ts';
import type { FakeShop } from '../shop/shop.ts';
import { servePage } from '../storefront/serve-page.ts';
import { storage } from './storage.ts';

/** State that the Shopify hosts share. */
export interface FakeState {
  readonly shops: ReadonlyMap<string, FakeShop>;
  readonly tokens: FakeTokens;
  readonly api: AdminApi;
  readonly faults: Faults;
  readonly calls: RecordedCall[];
  /** Admin pages, or null until the app's URL is known. */
  adminPages: Hono | null;
}

type Env = { Bindings: HttpBindings };

/**
 * Serves all Shopify hosts from one server on loopback. Reads the original host from `TARGET_HOST_HEADER` if a request
 * contains that header, and otherwise from the `Host` header.
 */
export function shopifyHosts(state: FakeState): Hono<Env> {
  const { shops, tokens, api, faults, calls } = state;
  const app = new Hono<Env>();
  const hostOf = (c: Context) => (c.req.header(TARGET_HOST_HEADER) ?? c.req.header('host') ?? '').replace(/:\d+$/, '');
  const shopOf = (c: Context) => shops.get(hostOf(c));
  const recordCall = (
    c: Context,
    operation: string | null = null,
    variables: Record<string, unknown> = {},
  ): RecordedCall => {
    const { method, path } = c.req;
    const call = { shop: shopOf(c)?.domain ?? '', host: hostOf(c), method, path, operation, variables, status: 0 };
    calls.push(call);
    return call;
  };
  /** Returns the response for a planned fault, if any. */
  const plannedFailure = async (c: Context<Env>, operation: string, shop?: string): Promise<Response | null> => {
    const slow = faults.take(operation, ['slow'], shop);
    if (slow) await wait(slow.ms);
    const fault = faults.take(operation, ['status', 'broken', 'hangUp'], shop);
    if (fault?.kind === 'hangUp') c.env.incoming.socket.destroy();
    if (fault?.kind === 'broken') return c.body('{"data":', 200, { 'content-type': 'application/json' });
    if (fault?.kind !== 'status') return null;
    if (fault.retryAfter !== undefined) c.header('Retry-After', String(fault.retryAfter));
    return c.json({ errors: STATUSES[fault.status] ?? 'Something went wrong' }, fault.status as 500);
  };

  app.post('/admin/oauth/access_token', async c => {
    const call = recordCall(c);
    const shop = shopOf(c);
    const answer = async () => {
      if (!shop) return c.json({ errors: 'Not Found' }, 404);
      const failed = await plannedFailure(c, 'token', shop.domain);
      if (failed) return failed;
      const { status, body } = await tokens.exchange(shop, await c.req.json());
      return c.json(body, status as 200);
    };
    const response = await answer();
    call.status = response.status;
    return response;
  });

  app.post('/admin/api/:version/graphql.json', async c => {
    const asked = await c.req.json<{ query?: string; variables?: Record<string, unknown> }>().catch(() => null);
    const { query = '', variables = {} } = asked ?? {};
    const operation = /(?:query|mutation)\s+(\w+)/.exec(query)?.[1] ?? '';
    const call = recordCall(c, operation, variables);
    const shop = shopOf(c);
    const answer = async () => {
      if (!shop || c.req.param('version') !== VERSION) return c.json({ errors: 'Not Found' }, 404);
      c.header('X-Shopify-API-Version', VERSION);
      if (!tokens.knows(c.req.header('x-shopify-access-token') ?? null, shop))
        return c.json({ errors: STATUSES[401] }, 401);
      const failed = await plannedFailure(c, operation, shop.domain);
      if (failed) return failed;
      if (!asked) return c.json({ errors: 'Bad Request' }, 400);
      return c.json(api.answer(shop, query, variables));
    };
    const response = await answer();
    call.status = response.status;
    return response;
  });

  const files = storage(state);
  app.all('*', async c => {
    const call = recordCall(c);
    const host = hostOf(c);
    const answer = async (): Promise<Response> => {
      if ((host === HOSTS.admin || host === HOSTS.extensions) && state.adminPages)
        return await state.adminPages.fetch(c.req.raw);
      if (host === HOSTS.cdn || host === HOSTS.results || host === HOSTS.uploads) {
        return (await plannedFailure(c, 'storage')) ?? (await files(host, c.req.raw));
      }
      const shop = [...shops.values()].find(one => one.host === host || one.domain === host);
      if (!shop) return c.notFound();
      return (await plannedFailure(c, 'storefront', shop.domain)) ?? (await servePage(shop, host, c.req.raw));
    };
    const response = await answer();
    call.status = response.status;
    return response;
  });
  return app;
}

const STATUSES: Readonly<Record<number, string>> = {
  401: '[API] Invalid API key or access token (unrecognized login or wrong password)',
  402: 'Unavailable Shop',
  403: '[API] This action requires merchant approval for read_products scope.',
  423: 'Locked',
  429: 'Exceeded 2 calls per second for api client. Reduce request rates to resume uninterrupted service.',
};
