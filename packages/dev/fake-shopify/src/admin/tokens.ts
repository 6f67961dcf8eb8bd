import { randomUUID } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import type { FakeShop } from '../shop/shop.ts';

/** App credentials for the fake Shopify. */
export const API_KEY = 'fake-api-key';
export const API_SECRET = 'shpss_fake_0123456789abcdef';
const secret = new TextEncoder().encode(API_SECRET);

const TYPE = 'urn:shopify:params:oauth:token-type:';
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token';

/** Refresh token lifetime in seconds (90 days). */
const REFRESH_LIVES = 90 * 24 * 60 * 60;

/**
 * Creates a session token as App Bridge does. To forge a token, change its claims with `overrides`, or use `key` to
 * sign with another secret.
 */
export async function idToken(domain: string, overrides: Record<string, unknown> = {}, key = secret): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return await new SignJWT({
    iss: `https://${domain}/admin`,
    dest: `https://${domain}`,
    aud: API_KEY,
    sub: '42',
    exp: now + 60,
    nbf: now - 1,
    iat: now - 1,
    jti: randomUUID(),
    sid: randomUUID(),
    ...overrides,
  })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(key);
}

interface Access {
  readonly shop: string;
  expires: number;
}
interface Refresh {
  readonly shop: string;
  readonly expires: number;
  /** Previous refresh token, which remains valid until this refresh token is used. */
  readonly before: string | null;
}

/** Issued tokens, and switches that simulate token endpoint failures. */
export class FakeTokens {
  readonly #access = new Map<string, Access>();
  readonly #refresh = new Map<string, Refresh>();
  readonly #clock: () => number;
  #count = 0;
  /** Whether to reject all refresh tokens. */
  deadRefresh = false;
  /** Whether to omit the token lifetime from responses. */
  withoutExpiry = false;
  /** Lifetime of an offline token, in seconds. */
  expiresIn = 3_600;

  constructor(clock: () => number = Date.now) {
    this.#clock = clock;
  }

  /** Responds to `POST /admin/oauth/access_token`. */
  async exchange(shop: FakeShop, asked: Record<string, unknown>): Promise<{ status: number; body: object }> {
    const refused = (error: string, status = 400) => ({ status, body: { error } });
    if (asked.client_id !== API_KEY || asked.client_secret !== API_SECRET) return refused('invalid_client', 401);
    if (asked.grant_type === 'refresh_token') {
      const before = this.#use(String(asked.refresh_token), shop);
      return before ? { status: 200, body: this.#offline(shop, before) } : refused('invalid_grant');
    }
    if (asked.grant_type !== EXCHANGE || asked.subject_token_type !== ID_TOKEN) return refused('invalid_request');
    const user = await this.#vouchedFor(shop, String(asked.subject_token));
    if (!user) return refused('invalid_subject_token');
    switch (asked.requested_token_type) {
      case `${TYPE}offline-access-token`:
        return { status: 200, body: asked.expiring === '1' ? this.#offline(shop, null) : this.#lasting(shop) };
      case `${TYPE}online-access-token`:
        return { status: 200, body: this.#online(shop, user) };
      default:
        return refused('invalid_request');
    }
  }

  /** Returns whether a token belongs to this shop and is valid. */
  knows(token: string | null, shop: FakeShop): boolean {
    const known = token === null ? undefined : this.#access.get(token);
    return known?.shop === shop.domain && known.expires > this.#clock();
  }

  /** Expires all of a shop's access tokens. The shop's refresh tokens remain valid. */
  expire(domain: string): void {
    for (const access of this.#access.values()) if (access.shop === domain) access.expires = this.#clock();
  }

  /** Revokes all of a shop's tokens, as an uninstall does. */
  revoke(domain: string): void {
    for (const tokens of [this.#access, this.#refresh])
      for (const [token, { shop }] of tokens) if (shop === domain) tokens.delete(token);
  }

  /**
   * Returns the ID of the user that an ID token identifies, or null if the token isn't currently valid for the shop.
   */
  async #vouchedFor(shop: FakeShop, token: string): Promise<string | null> {
    try {
      const { payload } = await jwtVerify(token, secret, {
        algorithms: ['HS256'],
        audience: API_KEY,
        issuer: `https://${shop.domain}/admin`,
        requiredClaims: ['exp', 'nbf', 'sub'],
        currentDate: new Date(this.#clock()),
      });
      return payload.dest === `https://${shop.domain}` ? (payload.sub ?? null) : null;
    } catch {
      return null;
    }
  }

  #use(token: string, shop: FakeShop): string | null {
    const known = this.#refresh.get(token);
    if (this.deadRefresh || known?.shop !== shop.domain || known.expires <= this.#clock()) return null;
    if (known.before) this.#refresh.delete(known.before);
    return token;
  }

  #issue(shop: FakeShop, prefix: string, lives: number): string {
    const token = `${prefix}_${++this.#count}_${randomUUID()}`;
    this.#access.set(token, { shop: shop.domain, expires: this.#clock() + lives * 1000 });
    return token;
  }

  #lasting(shop: FakeShop): object {
    return { access_token: this.#issue(shop, 'shpat', Number.POSITIVE_INFINITY), scope: scopeOf(shop) };
  }

  #offline(shop: FakeShop, before: string | null): object {
    const access = this.#issue(shop, 'shpat', this.expiresIn);
    const refresh = `shprt_${this.#count}_${randomUUID()}`;
    this.#refresh.set(refresh, { shop: shop.domain, before, expires: this.#clock() + REFRESH_LIVES * 1000 });
    const lives = this.withoutExpiry ? {} : { expires_in: this.expiresIn };
    const body = { access_token: access, scope: scopeOf(shop), ...lives };
    return { ...body, refresh_token: refresh, refresh_token_expires_in: REFRESH_LIVES };
  }

  #online(shop: FakeShop, user: string): object {
    const lives = 86_399;
    return {
      access_token: this.#issue(shop, 'shpua', lives),
      scope: scopeOf(shop),
      expires_in: lives,
      associated_user_scope: scopeOf(shop),
      associated_user: {
        id: Number(user),
        first_name: 'Ada',
        last_name: 'Merchant',
        email: 'ada@example.com',
        email_verified: true,
        account_owner: true,
        locale: 'en',
        collaborator: false,
      },
    };
  }
}

const scopeOf = ({ scopes }: FakeShop): string => [...scopes].join(',');
