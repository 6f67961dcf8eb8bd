import type { ShopStore } from '@compliance/store/shop';
import { Session } from '@shopify/shopify-api';
import type { SessionStorage } from '@shopify/shopify-app-session-storage';
import type { Seal } from './seal.ts';

/**
 * Default token lifetime, used if Shopify's response doesn't specify a lifetime. The app then renews the token about
 * once an hour.
 */
const HOUR_MS = 3_600_000;

/**
 * Stores the Shopify package's sessions in encrypted form. A session that no key can decrypt is treated as missing, so
 * the app requests a new token on the merchant's next visit.
 *
 * @example
 * shopifyApp({ sessionStorage: createSessionStorage(store, createSeal(config.tokenKeys), Date.now) });
 */
export function createSessionStorage(store: ShopStore, seal: Seal, clock: () => number): SessionStorage {
  const open = ({ id, sealed }: { readonly id: string; readonly sealed: string }) => {
    const text = seal.open(sealed, id);
    return text === null ? undefined : Session.fromPropertyArray(JSON.parse(text), true);
  };
  return {
    async storeSession(session) {
      // Without an expiration date, the Shopify package would never renew the token.
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
