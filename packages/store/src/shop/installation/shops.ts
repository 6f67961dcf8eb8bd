import type { Database } from '../../database/schema.ts';
import { enqueueWithin, type NewJob } from '../jobs/jobs.ts';
import type { ShopRow } from '../schema.ts';
import { checkedDomain, type Ground, holdShop } from '../scope.ts';

/**
 * What a merchant chose. Fields that the store does not know are kept as they are; they must be JSON.
 * `schedule` says how often the shop is scanned by itself, `retentionDays` how long scans are kept.
 */
export interface ShopSettings {
  readonly schedule: ShopRow['schedule'];
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

const DAY_MS = 86_400_000;

/** How far two scans of a schedule are apart. */
const PERIOD_MS = { off: null, daily: DAY_MS, weekly: 7 * DAY_MS } as const;

/** What holds until the merchant chooses. */
const DEFAULTS: ShopSettings = { schedule: 'daily', retentionDays: 365, locale: null };

export function createShops(ground: Ground): Shops {
  const { ledger, clock, newId } = ground;

  return {
    async install(shop, grant) {
      const now = clock();
      const { schedule, ...settings } = DEFAULTS;
      const scopes = scopesText(grant.scopes);
      const fresh = {
        ...{ shop: checkedDomain(shop), family: newId('fam'), installed_at: now, scopes },
        ...{ settings: JSON.stringify(settings), schedule, next_scan_at: nextScanAt(schedule, now) },
      };
      const remember = async (trx: Database) => {
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
        const answer = await ledger.transaction().execute(remember);
        // None when another process erased the shop between the two statements.
        if (answer) return answer;
      }
    },

    async list({ limit, after = '' }) {
      const rows = await ledger
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
      const due = await ledger
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
        await ledger.transaction().execute(async trx => {
          const row = await holdShop(trx, shop);
          const isDue =
            row?.uninstalled_at === null && row.needs_reopening_at === null && (row.next_scan_at ?? now + 1) <= now;
          const period = row && PERIOD_MS[row.schedule];
          if (!isDue || !period) return;
          // The same time of day as before, however late this is.
          const late = now - (row.next_scan_at ?? now);
          await changeShop(trx, shop, { next_scan_at: now - (late % period) + period });
          await enqueueWithin(ground, trx, shop, job);
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

/** Changes a shop that the transaction holds. */
export async function changeShop(trx: Database, shop: string, values: Partial<ShopRow>): Promise<ShopRecord> {
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
