import { enqueueWithin, type NewJob } from '../jobs.ts';
import type { ShopDatabase, ShopRow } from '../schema.ts';
import { checkedDomain, holdShop, type StoreContext } from '../scope.ts';

/**
 * Merchant's settings. Unknown fields are stored unchanged, so they must have JSON values. `schedule` sets the
 * interval between automatic scans, and `retentionDays` sets how long scans are kept.
 */
export interface ShopSettings {
  readonly schedule: ShopRow['schedule'];
  readonly retentionDays: number;
  /** App language as a BCP 47 tag, or null to use the Shopify admin language. */
  readonly locale: string | null;
  readonly [name: string]: unknown;
}

/** Shop details from Shopify. */
export interface ShopProfile {
  readonly name: string;
  /** IANA time zone name, such as `America/New_York`. */
  readonly timeZone: string;
  /** Storefront host that shoppers visit, such as `www.shop.example`. */
  readonly primaryHost: string;
  /** Primary language of the shop. */
  readonly locale: string;
}

/** Stored shop. Times are in milliseconds since the Unix epoch. Unknown profile fields are null. */
export interface ShopRecord {
  /** Shop domain, such as `some-name.myshopify.com`. */
  readonly shop: string;
  readonly installedAt: number;
  /** Time when the app was uninstalled, or null while it's installed. */
  readonly uninstalledAt: number | null;
  /** Time when the app was last reinstalled, or null. */
  readonly reinstalledAt: number | null;
  readonly name: string | null;
  readonly timeZone: string | null;
  readonly primaryHost: string | null;
  readonly locale: string | null;
  /** Granted access scopes, sorted. */
  readonly scopes: readonly string[];
  readonly settings: ShopSettings;
  /**
   * Time of the first failed token renewal, or null. To renew the tokens, the merchant must open the app in the Shopify
   * admin.
   */
  readonly needsReopeningAt: number | null;
  /** Due time of the next scheduled scan, or null if scans aren't scheduled. */
  readonly nextScanAt: number | null;
  /** Key family of this shop's certificates in `store.certificates`. */
  readonly family: string;
}

/** Shops that have, or had, the app installed. */
export interface Shops {
  /**
   * Records that a shop has the app installed. Call this function on every visit: if the installation is already
   * recorded, the function returns `known` and updates only the scopes. For each installation, `installed` or
   * `reinstalled` is returned only once, even for concurrent calls. After a reinstallation, the shop still has its data
   * unless the data was erased.
   *
   * @throws StoreError with `shop_invalid`
   * @example
   * const { outcome } = await store.shops.install('some-name.myshopify.com', { scopes: ['read_products', 'read_themes'] });
   * if (outcome !== 'known') await store.shop('some-name.myshopify.com').jobs.enqueue({ kind: 'scan', payload: { trigger: 'install' } });
   */
  install(
    shop: string,
    grant: { readonly scopes: readonly string[] },
  ): Promise<{ readonly outcome: 'installed' | 'reinstalled' | 'known'; readonly record: ShopRecord }>;
  /**
   * Lists at most `limit` shops that have the app installed, sorted by domain. The list starts after the domain in
   * `after`.
   *
   * @example
   * const first = await store.shops.list({ limit: 100 });
   * const second = await store.shops.list({ limit: 100, after: first.at(-1)?.shop });
   */
  list(query: { readonly limit: number; readonly after?: string | undefined }): Promise<ShopRecord[]>;
  /**
   * Finds at most `limit` shops with a scheduled scan that is due. For each of these shops, enqueues a job and
   * schedules the next scan in one transaction. Any number of processes can call this function every minute; each
   * shop's job is enqueued once per period. Skips shops that uninstalled the app or whose tokens can't be renewed.
   * Returns the shops that this call enqueued a job for. The list can be shorter than `limit` even if more shops are
   * due, because other processes might enqueue jobs for some of the shops. Call this function until it returns an empty
   * list.
   *
   * @example
   * await store.shops.enqueueDue({ kind: 'scan', payload: { trigger: 'schedule' } }, 100);
   */
  enqueueDue(job: NewJob, limit: number): Promise<readonly string[]>;
}

const DAY_MS = 86_400_000;

/** Time between scheduled scans, by schedule. */
const PERIOD_MS = { off: null, daily: DAY_MS, weekly: 7 * DAY_MS } as const;

/** Default settings for a new shop. */
const DEFAULTS: ShopSettings = { schedule: 'daily', retentionDays: 365, locale: null };

export function createShops(context: StoreContext): Shops {
  const { durable, clock, newId } = context;

  return {
    async install(shop, grant) {
      const now = clock();
      const { schedule, ...settings } = DEFAULTS;
      const scopes = scopesText(grant.scopes);
      const fresh = {
        ...{ shop: checkedDomain(shop), family: newId('fam'), installed_at: now, scopes },
        ...{ settings: JSON.stringify(settings), schedule, next_scan_at: nextScanAt(schedule, now) },
      };
      const remember = async (trx: ShopDatabase) => {
        const made = await trx
          .insertInto('shops')
          .values(fresh)
          .onConflict(conflict => conflict.column('shop').doNothing())
          .returningAll()
          .executeTakeFirst();
        if (made) return { outcome: 'installed', record: toShopRecord(made) } as const;
        const known = await holdShop(trx, shop);
        if (!known) return null;
        if (known.uninstalled_at === null) {
          return { outcome: 'known', record: await changeShop(trx, shop, { scopes }) } as const;
        }
        const values = {
          ...{ scopes, uninstalled_at: null, reinstalled_at: now, needs_reopening_at: null },
          next_scan_at: nextScanAt(known.schedule, now),
        };
        return { outcome: 'reinstalled', record: await changeShop(trx, shop, values) } as const;
      };
      for (;;) {
        const answer = await durable.transaction().execute(remember);
        // The update returns no row if another process erased the shop between the two statements.
        if (answer) return answer;
      }
    },

    async list({ limit, after = '' }) {
      const rows = await durable
        .selectFrom('shops')
        .selectAll()
        .where('shop', '>', after)
        .where('uninstalled_at', 'is', null)
        .orderBy('shop')
        .limit(limit)
        .execute();
      return rows.map(toShopRecord);
    },

    async enqueueDue(job, limit) {
      const now = clock();
      const due = await durable
        .selectFrom('shops')
        .select('shop')
        .where('next_scan_at', '<=', now)
        .where('uninstalled_at', 'is', null)
        .where('needs_reopening_at', 'is', null)
        .orderBy('next_scan_at')
        .limit(limit)
        .execute();
      const enqueued: string[] = [];
      for (const { shop } of due) {
        await durable.transaction().execute(async trx => {
          const row = await holdShop(trx, shop);
          const isDue =
            row?.uninstalled_at === null && row.needs_reopening_at === null && (row.next_scan_at ?? now + 1) <= now;
          const period = row && PERIOD_MS[row.schedule];
          if (!isDue || !period) return;
          // Schedule the next scan for the same time of day, even if this scan is late.
          const late = now - (row.next_scan_at ?? now);
          await changeShop(trx, shop, { next_scan_at: now - (late % period) + period });
          await enqueueWithin(context, trx, shop, job);
          enqueued.push(shop);
        });
      }
      return enqueued;
    },
  };
}

export function nextScanAt(schedule: ShopSettings['schedule'], now: number): number | null {
  const period = PERIOD_MS[schedule];
  return period && now + period;
}

/** Updates a shop that the caller's transaction has locked. */
export async function changeShop(trx: ShopDatabase, shop: string, values: Partial<ShopRow>): Promise<ShopRecord> {
  const query = trx.updateTable('shops').set(values).where('shop', '=', shop);
  return toShopRecord(await query.returningAll().executeTakeFirstOrThrow());
}

export function scopesText(scopes: readonly string[]): string {
  return JSON.stringify([...new Set(scopes)].sort());
}

export function toShopRecord(row: ShopRow): ShopRecord {
  return {
    shop: row.shop,
    installedAt: row.installed_at,
    uninstalledAt: row.uninstalled_at,
    reinstalledAt: row.reinstalled_at,
    name: row.name,
    timeZone: row.time_zone,
    primaryHost: row.primary_host,
    locale: row.locale,
    scopes: JSON.parse(row.scopes),
    settings: { ...JSON.parse(row.settings), schedule: row.schedule },
    needsReopeningAt: row.needs_reopening_at,
    nextScanAt: row.next_scan_at,
    family: row.family,
  };
}
