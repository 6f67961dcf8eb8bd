import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { appClient } from '../app-client.ts';
import { type FakeShopify, startFakeShopify } from '../fake-shopify.ts';
import { emptyShop } from '../shop/shop.ts';
import { idToken } from './tokens.ts';

const DAY = 24 * 60 * 60 * 1000;
const domain = 'a-shop.myshopify.com';
let now: number;
let fakeShopify: FakeShopify;
beforeAll(async () => {
  now = Date.now();
  fakeShopify = await startFakeShopify([emptyShop('a-shop'), emptyShop('b-shop')], { clock: () => now });
});
beforeEach(() => {
  now = Date.now();
  fakeShopify.tokens.deadRefresh = false;
  fakeShopify.tokens.withoutExpiry = false;
});
afterAll(() => fakeShopify.close());

type Pair = { access_token: string; refresh_token: string; expires_in?: number };
const QUERY = '{ shop { name } }';
const worksWith = async (token: string, shop = domain) =>
  (await appClient(fakeShopify, shop).graphql(QUERY, {}, { token })).status === 200;
const pair = async (response: Promise<Response>) => (await (await response).json()) as Pair;
const refusal = async (response: Promise<Response>) => {
  const { status } = await response;
  return [status, ((await (await response).json()) as { error: string }).error];
};

describe('the token endpoint', () => {
  it('exchanges an ID token for an expiring offline token', async () => {
    const app = appClient(fakeShopify, domain);
    const body = await pair(app.exchange());
    expect(body).toMatchObject({
      scope: 'read_products,read_themes',
      expires_in: 3600,
      refresh_token_expires_in: 90 * 86_400,
    });
    expect(body.access_token).toMatch(/^shpat_/);
    expect(await worksWith(body.access_token)).toBe(true);
  });

  it('returns a permanent token to an app that doesn’t request an expiring token', async () => {
    const body = await pair(appClient(fakeShopify, domain).exchange({ expiring: '0' }));
    expect(body).not.toHaveProperty('refresh_token');
    expect(body).not.toHaveProperty('expires_in');
    now += 365 * DAY;
    expect(await worksWith(body.access_token)).toBe(true);
  });

  it('returns an online token and its associated user', async () => {
    const requested_token_type = 'urn:shopify:params:oauth:token-type:online-access-token';
    const body = await pair(appClient(fakeShopify, domain).exchange({ requested_token_type }));
    expect(body).toMatchObject({ associated_user: { id: 42, account_owner: true }, expires_in: 86_399 });
  });

  it.each([
    ['an expired ID token', () => idToken(domain, { exp: 1 })],
    ['an ID token for another app', () => idToken(domain, { aud: 'another-app' })],
    ['an ID token of another shop', () => idToken('b-shop.myshopify.com')],
    ['an ID token issued by another shop', () => idToken(domain, { iss: 'https://b-shop.myshopify.com/admin' })],
    ['a forged ID token', () => idToken(domain, {}, new TextEncoder().encode('another secret of thirty-two bytes'))],
    ['text that isn’t an ID token', async () => 'nonsense'],
    [
      'an unsigned ID token',
      async () => `${Buffer.from('{"alg":"none"}').toString('base64url')}.${(await idToken(domain)).split('.')[1]}.`,
    ],
  ])('rejects %s', async (_, forge) => {
    const answer = appClient(fakeShopify, domain).exchange({ subject_token: await forge() });
    expect(await refusal(answer)).toEqual([400, 'invalid_subject_token']);
  });

  it('rejects invalid client credentials, an unknown grant type, and an unknown shop', async () => {
    const app = appClient(fakeShopify, domain);
    expect(await refusal(app.exchange({ client_secret: 'guessed' }))).toEqual([401, 'invalid_client']);
    expect(await refusal(app.exchange({ grant_type: 'password' }))).toEqual([400, 'invalid_request']);
    expect(await refusal(app.exchange({ requested_token_type: 'any' }))).toEqual([400, 'invalid_request']);
    expect((await appClient(fakeShopify, 'no-shop.myshopify.com').exchange()).status).toBe(404);
  });

  it('expires an access token after an hour, and exchanges its refresh token for a new pair of tokens', async () => {
    const app = appClient(fakeShopify, domain);
    const first = await pair(app.exchange());
    now += 3_600_000;
    expect(await worksWith(first.access_token)).toBe(false);
    const second = await pair(app.refresh(first.refresh_token));
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(await worksWith(second.access_token)).toBe(true);
  });

  it('keeps a refresh token valid until the next refresh token is used', async () => {
    const app = appClient(fakeShopify, domain);
    const first = await pair(app.exchange());
    const second = await pair(app.refresh(first.refresh_token));
    expect((await app.refresh(first.refresh_token)).status).toBe(200);
    expect((await app.refresh(second.refresh_token)).status).toBe(200);
    expect(await refusal(app.refresh(first.refresh_token))).toEqual([400, 'invalid_grant']);
  });

  it('rejects a refresh token that belongs to another shop, has expired, or was revoked', async () => {
    const app = appClient(fakeShopify, domain);
    const { refresh_token: token } = await pair(app.exchange());
    expect(await refusal(appClient(fakeShopify, 'b-shop.myshopify.com').refresh(token))).toEqual([
      400,
      'invalid_grant',
    ]);
    now += 90 * DAY;
    expect(await refusal(app.refresh(token))).toEqual([400, 'invalid_grant']);
    now -= 90 * DAY;
    fakeShopify.tokens.deadRefresh = true;
    expect(await refusal(app.refresh(token))).toEqual([400, 'invalid_grant']);
  });

  it('omits the token lifetime from responses when `withoutExpiry` is set', async () => {
    fakeShopify.tokens.withoutExpiry = true;
    const body = await pair(appClient(fakeShopify, domain).exchange());
    expect(body.expires_in).toBeUndefined();
    expect(body.refresh_token).toMatch(/^shprt_/);
  });

  it('revokes all of a shop’s tokens on uninstall, but keeps other shops’ tokens', async () => {
    const gone = await pair(appClient(fakeShopify, domain).exchange());
    const other = await pair(appClient(fakeShopify, 'b-shop.myshopify.com').exchange());
    fakeShopify.tokens.revoke(domain);
    expect(await worksWith(gone.access_token)).toBe(false);
    expect((await appClient(fakeShopify, domain).refresh(gone.refresh_token)).status).toBe(400);
    expect(await worksWith(other.access_token, 'b-shop.myshopify.com')).toBe(true);
    expect(await worksWith(other.access_token)).toBe(false);
  });
});
