import { API_KEY, API_SECRET, idToken } from './admin/tokens.ts';
import { MEANT } from './hosts.ts';
import type { StandIn } from './stand-in.ts';

/** What an answer of the Admin API holds. */
interface GraphqlAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the query asked for
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

/** Speaks to the stand-in as an app does, by plain HTTP: for the tests of the stand-in itself. */
export function asApp({ url }: Pick<StandIn, 'url'>, domain: string) {
  const post = (path: string, body: object, headers: Record<string, string> = {}, host = domain) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [MEANT]: host, ...headers },
      body: JSON.stringify(body),
    });
  const exchange = async (over: object = {}) =>
    await post('/admin/oauth/access_token', {
      client_id: API_KEY,
      client_secret: API_SECRET,
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: await idToken(domain),
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      requested_token_type: 'urn:shopify:params:oauth:token-type:offline-access-token',
      expiring: '1',
      ...over,
    });
  let token: string | undefined;

  return {
    exchange,
    /** Trades a refresh token for a new pair. */
    refresh: (refreshToken: string) =>
      post('/admin/oauth/access_token', {
        ...{ client_id: API_KEY, client_secret: API_SECRET },
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
      }),
    /** Asks the Admin API, with a token that is exchanged first unless one is given. */
    async graphql(query: string, variables: object = {}, options: { token?: string; version?: string } = {}) {
      token ??= ((await (await exchange()).json()) as { access_token: string }).access_token;
      const { version = '2026-10' } = options;
      const path = `/admin/api/${version}/graphql.json`;
      const response = await post(path, { query, variables }, { 'x-shopify-access-token': options.token ?? token });
      return { status: response.status, ...((await response.json()) as object) } as GraphqlAnswer;
    },
    /** Fetches an address of a host that the stand-in stands for. */
    async fetch(address: string, init: RequestInit = {}) {
      const { host, pathname, search } = new URL(address);
      const headers = { ...(init.headers as Record<string, string>), [MEANT]: host };
      return await fetch(`${url}${pathname}${search}`, { redirect: 'manual', ...init, headers });
    },
  };
}
