import { HttpResponseError, InvalidJwtError, type Session } from '@shopify/shopify-api';
import type { SessionStorage } from '@shopify/shopify-app-session-storage';
import { AdminApiError, interpretError } from '../admin/admin.ts';

/**
 * Remaining lifetime, in milliseconds, at which the app renews a token. The Shopify package uses the same value for
 * page requests.
 */
const RENEW_BEFORE_MS = 5 * 60_000;

/** HTTP status codes that Shopify returns for an invalid refresh token or a deleted shop. */
const REVOKED_STATUSES: readonly number[] = [400, 401, 403, 404];

/** Token renewal dependencies. */
export interface TokenDeps {
  readonly storage: SessionStorage;
  /** Returns the Shopify package's ID for a shop's session. */
  readonly idOf: (domain: string) => string;
  /** Requests the next token from Shopify. */
  readonly refresh: (domain: string, refreshToken: string) => Promise<Session>;
}

/** Manages the offline tokens that jobs use when no merchant is present. */
export interface TokenStore {
  /**
   * Ensures that the shop's token is valid for a few more minutes. Concurrent calls renew the token only once.
   *
   * @throws AdminApiError `revoked` if only the merchant can restore access, or another code if the error is temporary
   */
  keep(domain: string): Promise<void>;
  /**
   * Renews a token that hasn't expired but that Shopify rejected. If only the merchant can restore access, deletes the
   * token, so that the app requests a new token on the merchant's next visit.
   *
   * @throws AdminApiError under the same conditions as `keep`
   */
  replace(domain: string, refused: string | undefined): Promise<void>;
  /** Deletes a shop's token. */
  forget(domain: string): Promise<void>;
}

/**
 * Creates a token manager that renews tokens before they expire. The Shopify package can also renew tokens, but it
 * mistakes a Shopify outage for an invalid token.
 *
 * @example
 * const tokens = createTokens({ storage, idOf: api.session.getOfflineId, refresh });
 * await tokens.keep('some-name.myshopify.com');
 */
export function createTokens({ storage, idOf, refresh }: TokenDeps): TokenStore {
  const renewing = new Map<string, Promise<void>>();

  /** Renews a shop's token. Concurrent calls in this process share one renewal. */
  function renew(domain: string, isGood: (session: Session) => boolean): Promise<void> {
    const running = renewing.get(domain) ?? renewOnce(domain, isGood).finally(() => renewing.delete(domain));
    renewing.set(domain, running);
    return running;
  }

  async function renewOnce(domain: string, isGood: (session: Session) => boolean): Promise<void> {
    const session = await storage.loadSession(idOf(domain));
    if (session && isGood(session)) return;
    if (!session?.refreshToken) throw new AdminApiError('revoked', 'token');
    let next: Session;
    try {
      next = await refresh(domain, session.refreshToken);
    } catch (error) {
      // Another process might have renewed the token first, which would have invalidated this process's refresh token.
      const now = await storage.loadSession(idOf(domain));
      if (now && now.accessToken !== session.accessToken && isGood(now)) return;
      throw new AdminApiError(faultOf(error), 'token');
    }
    // The old refresh token stays valid until the new token is used, so the app keeps the old refresh token if the
    // response doesn't contain a replacement.
    next.refreshToken ??= session.refreshToken;
    next.refreshTokenExpires ??= session.refreshTokenExpires;
    await storage.storeSession(next);
  }

  async function forget(domain: string): Promise<void> {
    const session = await storage.loadSession(idOf(domain));
    if (!session) return;
    session.accessToken = undefined;
    await storage.storeSession(session);
  }

  return {
    keep: domain => renew(domain, session => session.isActive(undefined, RENEW_BEFORE_MS)),
    async replace(domain, refused) {
      try {
        await renew(domain, session => session.isActive(undefined) && session.accessToken !== refused);
      } catch (error) {
        if (error instanceof AdminApiError && error.fault === 'revoked') await forget(domain);
        throw error;
      }
    },
    forget,
  };
}

function faultOf(error: unknown) {
  if (error instanceof InvalidJwtError) return 'revoked';
  if (error instanceof HttpResponseError && REVOKED_STATUSES.includes(error.response.code)) return 'revoked';
  // Shopify returned an error page instead of JSON, or `fetch` failed.
  return error instanceof SyntaxError || error instanceof TypeError ? 'unavailable' : interpretError(error, 0).fault;
}
