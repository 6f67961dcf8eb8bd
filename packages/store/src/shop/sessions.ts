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
