import { padded } from '../batches.ts';
import { checkedDomain, type Ground, type Scope } from '../scope.ts';

/** A session of Shopify's library. `sealed` is text that the caller has encrypted: it holds access and refresh tokens. */
export interface ShopSession {
  readonly id: string;
  readonly shop: string;
  readonly sealed: string;
}

/**
 * What Shopify's `SessionStorage` needs: sessions by id. Those of a shop are in `store.shop(domain).sessions`.
 * The store never looks into `sealed` and never exports it.
 */
export interface Sessions {
  /**
   * Keeps a session, in the place of one with the same id.
   *
   * @throws StoreError `shop_invalid`
   */
  put(session: ShopSession): Promise<void>;
  /** The session with this id, or null. */
  get(id: string): Promise<ShopSession | null>;
  /** Forgets sessions; ids that there are none of are no error. */
  delete(ids: readonly string[]): Promise<void>;
}

/** The sessions of one shop. */
export interface OwnSessions {
  /** All of them. */
  list(): Promise<readonly ShopSession[]>;
  /** Forgets all of them, as after an uninstall. */
  clear(): Promise<void>;
}

export function createSessions({ ledger }: Ground): Sessions {
  return {
    async put({ id, shop, sealed }) {
      const values = { shop: checkedDomain(shop), sealed };
      await ledger
        .insertInto('shop_sessions')
        .values({ id, ...values })
        .onConflict(conflict => conflict.column('id').doUpdateSet(values))
        .execute();
    },

    async get(id) {
      const row = await ledger.selectFrom('shop_sessions').selectAll().where('id', '=', id).executeTakeFirst();
      return row ?? null;
    },

    async delete(ids) {
      for (let from = 0; from < ids.length; from += 1000) {
        const some = padded(ids.slice(from, from + 1000));
        await ledger.deleteFrom('shop_sessions').where('id', 'in', some).execute();
      }
    },
  };
}

export function createOwnSessions({ ledger, shop, writeAnyway }: Scope): OwnSessions {
  return {
    list: () => ledger.selectFrom('shop_sessions').selectAll().where('shop', '=', shop).orderBy('id').execute(),

    async clear() {
      await writeAnyway(trx => trx.deleteFrom('shop_sessions').where('shop', '=', shop).execute());
    },
  };
}
