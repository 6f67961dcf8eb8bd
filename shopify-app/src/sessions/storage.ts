import type { Store } from '@compliance/store';
import { Session } from '@shopify/shopify-api';
import type { SessionStorage } from '@shopify/shopify-app-session-storage';
import type { Seal } from './seal.ts';

/** What Shopify gives a token when its answer does not say how long it lives: an hour, so that it is refreshed. */
const HOUR_MS = 3_600_000;

/**
 * Where Shopify's package keeps its sessions: in the store, sealed. A session that no key opens is as good as none: the
 * merchant's next visit exchanges a token anew.
 *
 * @example
 * shopifyApp({ sessionStorage: createSessionStorage(store, createSeal(config.tokenKeys), Date.now) });
 */
export function createSessionStorage(store: Store, seal: Seal, clock: () => number): SessionStorage {
  const open = ({ id, sealed }: { readonly id: string; readonly sealed: string }) => {
    const text = seal.open(sealed, id);
    return text === null ? undefined : Session.fromPropertyArray(JSON.parse(text), true);
  };
  return {
    async storeSession(session) {
      // Without a date the package would never refresh the token again.
      if (!session.isOnline && !session.expires) session.expires = new Date(clock() + HOUR_MS);
      const sealed = seal.seal(JSON.stringify(session.toPropertyArray(true)), session.id);
      await store.sessions.put({ id: session.id, shop: session.shop, sealed });
      return true;
    },
    async loadSession(id) {
      const row = await store.sessions.get(id);
      return row ? open(row) : undefined;
    },
    async deleteSession(id) {
      await store.sessions.delete([id]);
      return true;
    },
    async deleteSessions(ids) {
      await store.sessions.delete(ids);
      return true;
    },
    async findSessionsByShop(shop) {
      return (await store.shop(shop).sessions.list()).flatMap(row => open(row) ?? []);
    },
  };
}
