import { HttpResponseError, InvalidJwtError, type Session } from '@shopify/shopify-api';
import type { SessionStorage } from '@shopify/shopify-app-session-storage';
import { AdminFailed, judge } from '../admin/admin.ts';

/** Before its end by this much a token is renewed; as Shopify's package has it for pages. */
const SPARE_MS = 5 * 60_000;

/** Statuses by which Shopify says that a refresh token is worth nothing, or that the shop is gone. */
const DEAD: readonly number[] = [400, 401, 403, 404];

/** What tokens are renewed with. */
export interface TokenParts {
  readonly storage: SessionStorage;
  /** The id that Shopify's package gives the session of a shop. */
  readonly idOf: (domain: string) => string;
  /** Asks Shopify for the next token. */
  readonly refresh: (domain: string, refreshToken: string) => Promise<Session>;
}

/** The tokens that jobs work with while no merchant is there. */
export interface Tokens {
  /**
   * Makes sure that the shop's token lives for minutes more. Several at once renew it once.
   *
   * @throws AdminFailed `revoked` when only the merchant can heal it, else what may pass
   */
  keep(domain: string): Promise<void>;
  /**
   * Renews a token that Shopify refused before its time. When that cannot be, it is forgotten, so that the merchant's next
   * visit brings another. @throws AdminFailed as `keep`
   */
  replace(domain: string, refused: string | undefined): Promise<void>;
  /** Forgets a token. */
  forget(domain: string): Promise<void>;
}

/**
 * Keeps tokens alive. Shopify's package would too, but takes a Shopify that is down for a token that is dead.
 *
 * @example
 * const tokens = createTokens({ storage, idOf: api.session.getOfflineId, refresh });
 * await tokens.keep('some-name.myshopify.com');
 */
export function createTokens({ storage, idOf, refresh }: TokenParts): Tokens {
  const renewing = new Map<string, Promise<void>>();

  /** One renewal of a shop at a time in this process. */
  function renew(domain: string, isGood: (session: Session) => boolean): Promise<void> {
    const running = renewing.get(domain) ?? renewOnce(domain, isGood).finally(() => renewing.delete(domain));
    renewing.set(domain, running);
    return running;
  }

  async function renewOnce(domain: string, isGood: (session: Session) => boolean): Promise<void> {
    const session = await storage.loadSession(idOf(domain));
    if (session && isGood(session)) return;
    if (!session?.refreshToken) throw new AdminFailed('revoked', 'token');
    let next: Session;
    try {
      next = await refresh(domain, session.refreshToken);
    } catch (error) {
      // Another process may have been quicker, and what it used up is worth nothing now.
      const now = await storage.loadSession(idOf(domain));
      if (now && now.accessToken !== session.accessToken && isGood(now)) return;
      throw new AdminFailed(faultOf(error), 'token');
    }
    // The old one stays good until the new token is used, so an answer that names none leaves it.
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
    keep: domain => renew(domain, session => session.isActive(undefined, SPARE_MS)),
    async replace(domain, refused) {
      try {
        await renew(domain, session => session.isActive(undefined) && session.accessToken !== refused);
      } catch (error) {
        if (error instanceof AdminFailed && error.fault === 'revoked') await forget(domain);
        throw error;
      }
    },
    forget,
  };
}

function faultOf(error: unknown) {
  if (error instanceof InvalidJwtError) return 'revoked';
  if (error instanceof HttpResponseError && DEAD.includes(error.response.code)) return 'revoked';
  // An error page instead of JSON, or `fetch failed`.
  return error instanceof SyntaxError || error instanceof TypeError ? 'unavailable' : judge(error, 0).fault;
}
