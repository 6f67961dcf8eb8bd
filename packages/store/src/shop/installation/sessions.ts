import { padIds } from '../../database/chunks.ts';
import { checkedDomain, type ShopScope, type StoreContext } from '../scope.ts';

/** Shopify library session. `sealed` contains access and refresh tokens, encrypted by the caller. */
export interface ShopSession {
  readonly id: string;
  readonly shop: string;
  readonly sealed: string;
}

/**
 * Sessions by ID, as required by Shopify's `SessionStorage`. For the sessions of one shop, see
 * `store.shop(domain).sessions`. The store never interprets or exports `sealed`.
 */
export interface Sessions {
  /**
   * Stores a session, replacing any session with the same ID.
   *
   * @throws StoreError with `shop_invalid`
   */
  put(session: ShopSession): Promise<void>;
  /** Returns the session with this ID, or null. */
  get(id: string): Promise<ShopSession | null>;
  /** Deletes sessions. Unknown IDs are ignored. */
  delete(ids: readonly string[]): Promise<void>;
}

/** One shop's sessions. */
export interface ShopSessions {
  /** Returns all sessions of the shop. */
  list(): Promise<readonly ShopSession[]>;
  /** Deletes all sessions of the shop, for example after an uninstall. */
  clear(): Promise<void>;
}

export function createSessions({ durable }: StoreContext): Sessions {
  return {
    async put({ id, shop, sealed }) {
      const values = { shop: checkedDomain(shop), sealed };
      await durable
        .insertInto('shop_sessions')
        .values({ id, ...values })
        .onConflict(conflict => conflict.column('id').doUpdateSet(values))
        .execute();
    },

    async get(id) {
      const row = await durable.selectFrom('shop_sessions').selectAll().where('id', '=', id).executeTakeFirst();
      return row ?? null;
    },

    async delete(ids) {
      for (let from = 0; from < ids.length; from += 1000) {
        const some = padIds(ids.slice(from, from + 1000));
        await durable.deleteFrom('shop_sessions').where('id', 'in', some).execute();
      }
    },
  };
}

export function createShopSessions({ durable, shop, writeAnyway }: ShopScope): ShopSessions {
  return {
    list: () => durable.selectFrom('shop_sessions').selectAll().where('shop', '=', shop).orderBy('id').execute(),

    async clear() {
      await writeAnyway(trx => trx.deleteFrom('shop_sessions').where('shop', '=', shop).execute());
    },
  };
}
