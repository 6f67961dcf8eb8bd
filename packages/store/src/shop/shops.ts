import type { NewJob } from './jobs.ts';

/**
 * What a merchant chose. Fields that the store does not know are kept as they are; they must be JSON.
 * `schedule` says how often the shop is scanned by itself, `retentionDays` how long scans are kept.
 */
export interface ShopSettings {
  readonly schedule: 'off' | 'daily' | 'weekly';
  readonly retentionDays: number;
  /** The language of the pages, a BCP 47 tag; null: the one that the admin asks for. */
  readonly locale: string | null;
  readonly [name: string]: unknown;
}

/** What Shopify tells of a shop. */
export interface ShopProfile {
  readonly name: string;
  /** IANA name such as `America/New_York`. */
  readonly timeZone: string;
  /** The host that shoppers see, such as `www.shop.example`. */
  readonly primaryHost: string;
  /** The shop's own language. */
  readonly locale: string;
}

/** A shop as it is remembered. Times are ms since epoch. What of the profile is not known yet is null. */
export interface ShopRecord {
  /** `some-name.myshopify.com` */
  readonly shop: string;
  readonly installedAt: number;
  /** Null while the app is installed. */
  readonly uninstalledAt: number | null;
  /** When it was last installed again after it had been uninstalled. */
  readonly reinstalledAt: number | null;
  readonly name: string | null;
  readonly timeZone: string | null;
  readonly primaryHost: string | null;
  readonly locale: string | null;
  /** The access scopes that are granted, sorted. */
  readonly scopes: readonly string[];
  readonly settings: ShopSettings;
  /** Since when the shop's tokens can no longer be renewed: only opening the app in the admin heals that. */
  readonly needsReopeningAt: number | null;
  /** When the next scan of the schedule is due; null when there is none. */
  readonly nextScanAt: number | null;
  /** The family that certificates of this shop are issued for, as `store.certificates` calls it. */
  readonly family: string;
}

/** The shops that have, or had, the app. */
export interface Shops {
  /**
   * Remembers that a shop has the app. May be said on every visit: `known` changes nothing but the scopes. `installed` and
   * `reinstalled` are said once each time, whoever of several asks at once. A reinstalled shop finds what it had, unless it
   * was erased in between.
   *
   * @throws StoreError `shop_invalid`
   * @example
   * const { outcome } = await store.shops.install('some-name.myshopify.com', { scopes: ['read_products', 'read_themes'] });
   * if (outcome !== 'known') await store.shop('some-name.myshopify.com').jobs.enqueue({ kind: 'scan', payload: { trigger: 'install' } });
   */
  install(
    shop: string,
    grant: { readonly scopes: readonly string[] },
  ): Promise<{ readonly outcome: 'installed' | 'reinstalled' | 'known'; readonly record: ShopRecord }>;
  /**
   * At most `limit` shops that have the app now, by name, those after `after`.
   *
   * @example
   * const first = await store.shops.list({ limit: 100 });
   * const second = await store.shops.list({ limit: 100, after: first.at(-1)?.shop });
   */
  list(query: { readonly limit: number; readonly after?: string | undefined }): Promise<ShopRecord[]>;
  /**
   * Enqueues a job for each shop whose scheduled scan is due, at most `limit`, and moves each to its next time, both or
   * neither. Any number of processes may call it every minute: each shop is taken once a period. Shops that are
   * uninstalled or need reopening wait. Gives the shops.
   *
   * @example
   * await store.shops.enqueueDue({ kind: 'scan', payload: { trigger: 'schedule' } }, 100);
   */
  enqueueDue(job: NewJob, limit: number): Promise<readonly string[]>;
}
