import { API_KEY, API_SECRET, idToken } from './admin/tokens.ts';
import type { FakeShopify } from './fake-shopify.ts';
import { TARGET_HOST_HEADER } from './hosts.ts';

/** Admin API response. */
interface GraphqlAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the shape depends on the query
  readonly data: any;
  readonly errors?: readonly { message: string; path?: readonly string[]; extensions?: { code?: string } }[];
  readonly extensions?: {
    readonly cost: {
      readonly requestedQueryCost: number;
      readonly actualQueryCost: number;
      readonly throttleStatus: { readonly currentlyAvailable: number };
    };
  };
}

/** Creates a client for testing the fake Shopify itself. The client sends plain HTTP requests, as an app does. */
export function appClient({ url }: Pick<FakeShopify, 'url'>, domain: string) {
  const post = (path: string, body: object, headers: Record<string, string> = {}, host = domain) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [TARGET_HOST_HEADER]: host, ...headers },
      body: JSON.stringify(body),
    });
  const exchange = async (overrides: object = {}) =>
    await post('/admin/oauth/access_token', {
      client_id: API_KEY,
      client_secret: API_SECRET,
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: await idToken(domain),
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      requested_token_type: 'urn:shopify:params:oauth:token-type:offline-access-token',
      expiring: '1',
      ...overrides,
    });
  let token: string | undefined;

  return {
    exchange,
    /** Exchanges a refresh token for a new pair of tokens. */
    refresh: (refreshToken: string) =>
      post('/admin/oauth/access_token', {
        ...{ client_id: API_KEY, client_secret: API_SECRET },
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
      }),
    /**
     * Runs an Admin API query. Before the first query, exchanges an ID token for an access token. Uses that
     * access token unless `options.token` is given.
     */
    async graphql(query: string, variables: object = {}, options: { token?: string; version?: string } = {}) {
      token ??= ((await (await exchange()).json()) as { access_token: string }).access_token;
      const { version = '2026-10' } = options;
      const path = `/admin/api/${version}/graphql.json`;
      const response = await post(path, { query, variables }, { 'x-shopify-access-token': options.token ?? token });
      return { status: response.status, ...((await response.json()) as object) } as GraphqlAnswer;
    },
    /** Fetches a URL on a host that the fake Shopify serves. */
    async fetch(address: string, init: RequestInit = {}) {
      const { host, pathname, search } = new URL(address);
      const headers = { ...(init.headers as Record<string, string>), [TARGET_HOST_HEADER]: host };
      return await fetch(`${url}${pathname}${search}`, { redirect: 'manual', ...init, headers });
    },
  };
}
