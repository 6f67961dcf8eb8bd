import { randomUUID } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import type { StandInShop } from '../shop/shop.ts';

/** What the app is registered with at the stand-in. */
export const API_KEY = 'stand-in-api-key';
export const API_SECRET = 'shpss_stand_in_0123456789abcdef';
const secret = new TextEncoder().encode(API_SECRET);

/** A session token as App Bridge gives it; `over` replaces claims, to forge. */
export async function idToken(domain: string, over: Record<string, unknown> = {}, key = secret): Promise<string> {
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
    ...over,
  })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(key);
}

/** The tokens that were given out, and how the endpoint misbehaves when it is told to. */
export class Tokens {
  readonly #access = new Map<string, string>();
  readonly #refresh = new Map<string, string>();
  #count = 0;
  /** Refresh tokens are worth nothing any more. */
  deadRefresh = false;
  /** Answers say nothing of how long a token lives. */
  withoutExpiry = false;
  /** Seconds that a token lives. */
  expiresIn = 3_600;

  /** The answer of `POST /admin/oauth/access_token`. */
  async exchange(shop: StandInShop, asked: Record<string, unknown>): Promise<{ status: number; body: object }> {
    if (asked.client_id !== API_KEY || asked.client_secret !== API_SECRET)
      return { status: 401, body: { error: 'invalid_client' } };
    if (asked.grant_type === 'refresh_token') {
      const known = this.#refresh.get(String(asked.refresh_token)) === shop.domain;
      if (this.deadRefresh || !known) return { status: 400, body: { error: 'invalid_grant' } };
      return { status: 200, body: this.#issue(shop, true) };
    }
    try {
      const { payload } = await jwtVerify(String(asked.subject_token), secret, { audience: API_KEY });
      if (payload.dest !== `https://${shop.domain}`) throw new Error('another shop');
    } catch {
      return { status: 400, body: { error: 'invalid_subject_token' } };
    }
    const offline = String(asked.requested_token_type).includes('offline');
    return { status: 200, body: this.#issue(shop, offline && asked.expiring === '1') };
  }

  /** Whether a token is one of this shop's. */
  knows(token: string | null, shop: StandInShop): boolean {
    return token !== null && this.#access.get(token) === shop.domain;
  }

  /** Makes every token of a shop worthless. */
  revoke(domain: string): void {
    for (const tokens of [this.#access, this.#refresh])
      for (const [token, owner] of tokens) if (owner === domain) tokens.delete(token);
  }

  #issue(shop: StandInShop, expiring: boolean): object {
    const number = ++this.#count;
    const access = `shpat_${number}_${randomUUID()}`;
    this.#access.set(access, shop.domain);
    const body = { access_token: access, scope: [...shop.scopes].join(',') };
    if (!expiring) return body;
    const refresh = `shprt_${number}_${randomUUID()}`;
    this.#refresh.set(refresh, shop.domain);
    const lives = this.withoutExpiry ? {} : { expires_in: this.expiresIn };
    return { ...body, ...lives, refresh_token: refresh, refresh_token_expires_in: 7_776_000 };
  }
}
