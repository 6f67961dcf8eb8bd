import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asApp } from '../as-app.ts';
import { emptyShop } from '../shop/shop.ts';
import { type StandIn, startStandIn } from '../stand-in.ts';
import { idToken } from './tokens.ts';

const DAY = 24 * 60 * 60 * 1000;
const domain = 'a-shop.myshopify.com';
let now: number;
let standIn: StandIn;
beforeAll(async () => {
  now = Date.now();
  standIn = await startStandIn([emptyShop('a-shop'), emptyShop('b-shop')], { clock: () => now });
});
beforeEach(() => {
  now = Date.now();
  standIn.tokens.deadRefresh = false;
  standIn.tokens.withoutExpiry = false;
});
afterAll(() => standIn.close());

type Pair = { access_token: string; refresh_token: string; expires_in?: number };
const QUERY = '{ shop { name } }';
const worksWith = async (token: string, shop = domain) =>
  (await asApp(standIn, shop).graphql(QUERY, {}, { token })).status === 200;
const pair = async (response: Promise<Response>) => (await (await response).json()) as Pair;
const refusal = async (response: Promise<Response>) => {
  const { status } = await response;
  return [status, ((await (await response).json()) as { error: string }).error];
};

describe('the token endpoint', () => {
  it('gives an expiring offline token for an id token', async () => {
    const app = asApp(standIn, domain);
    const body = await pair(app.exchange());
    expect(body).toMatchObject({
      scope: 'read_products,read_themes',
      expires_in: 3600,
      refresh_token_expires_in: 90 * 86_400,
    });
    expect(body.access_token).toMatch(/^shpat_/);
    expect(await worksWith(body.access_token)).toBe(true);
  });

  it('gives a lasting token to an app that does not ask for an expiring one', async () => {
    const body = await pair(asApp(standIn, domain).exchange({ expiring: '0' }));
    expect(body).not.toHaveProperty('refresh_token');
    expect(body).not.toHaveProperty('expires_in');
    now += 365 * DAY;
    expect(await worksWith(body.access_token)).toBe(true);
  });

  it('gives an online token with its user', async () => {
    const requested_token_type = 'urn:shopify:params:oauth:token-type:online-access-token';
    const body = await pair(asApp(standIn, domain).exchange({ requested_token_type }));
    expect(body).toMatchObject({ associated_user: { id: 42, account_owner: true }, expires_in: 86_399 });
  });

  it.each([
    ['an expired id token', () => idToken(domain, { exp: 1 })],
    ['an id token for another app', () => idToken(domain, { aud: 'another-app' })],
    ['an id token of another shop', () => idToken('b-shop.myshopify.com')],
    ['an id token whose issuer is another shop', () => idToken(domain, { iss: 'https://b-shop.myshopify.com/admin' })],
    ['a forged id token', () => idToken(domain, {}, new TextEncoder().encode('another secret of thirty-two bytes'))],
    ['no id token', async () => 'nonsense'],
    [
      'an unsigned id token',
      async () => `${Buffer.from('{"alg":"none"}').toString('base64url')}.${(await idToken(domain)).split('.')[1]}.`,
    ],
  ])('refuses %s', async (_, forge) => {
    const answer = asApp(standIn, domain).exchange({ subject_token: await forge() });
    expect(await refusal(answer)).toEqual([400, 'invalid_subject_token']);
  });

  it('refuses a wrong client, an unknown grant and an unknown shop', async () => {
    const app = asApp(standIn, domain);
    expect(await refusal(app.exchange({ client_secret: 'guessed' }))).toEqual([401, 'invalid_client']);
    expect(await refusal(app.exchange({ grant_type: 'password' }))).toEqual([400, 'invalid_request']);
    expect(await refusal(app.exchange({ requested_token_type: 'any' }))).toEqual([400, 'invalid_request']);
    expect((await asApp(standIn, 'no-shop.myshopify.com').exchange()).status).toBe(404);
  });

  it('lets an access token run out after an hour, and its refresh token trade for the next', async () => {
    const app = asApp(standIn, domain);
    const first = await pair(app.exchange());
    now += 3_600_000;
    expect(await worksWith(first.access_token)).toBe(false);
    const second = await pair(app.refresh(first.refresh_token));
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(await worksWith(second.access_token)).toBe(true);
  });

  it('keeps a refresh token good until the next one is used', async () => {
    const app = asApp(standIn, domain);
    const first = await pair(app.exchange());
    const second = await pair(app.refresh(first.refresh_token));
    expect((await app.refresh(first.refresh_token)).status).toBe(200);
    expect((await app.refresh(second.refresh_token)).status).toBe(200);
    expect(await refusal(app.refresh(first.refresh_token))).toEqual([400, 'invalid_grant']);
  });

  it('takes no refresh token of another shop, none after 90 days, none that is dead', async () => {
    const app = asApp(standIn, domain);
    const { refresh_token: token } = await pair(app.exchange());
    expect(await refusal(asApp(standIn, 'b-shop.myshopify.com').refresh(token))).toEqual([400, 'invalid_grant']);
    now += 90 * DAY;
    expect(await refusal(app.refresh(token))).toEqual([400, 'invalid_grant']);
    now -= 90 * DAY;
    standIn.tokens.deadRefresh = true;
    expect(await refusal(app.refresh(token))).toEqual([400, 'invalid_grant']);
  });

  it('says nothing of the expiry when it is told not to', async () => {
    standIn.tokens.withoutExpiry = true;
    const body = await pair(asApp(standIn, domain).exchange());
    expect(body.expires_in).toBeUndefined();
    expect(body.refresh_token).toMatch(/^shprt_/);
  });

  it('makes every token of a shop worthless on uninstallation, and of no other shop', async () => {
    const gone = await pair(asApp(standIn, domain).exchange());
    const other = await pair(asApp(standIn, 'b-shop.myshopify.com').exchange());
    standIn.tokens.revoke(domain);
    expect(await worksWith(gone.access_token)).toBe(false);
    expect((await asApp(standIn, domain).refresh(gone.refresh_token)).status).toBe(400);
    expect(await worksWith(other.access_token, 'b-shop.myshopify.com')).toBe(true);
    expect(await worksWith(other.access_token)).toBe(false);
  });
});
