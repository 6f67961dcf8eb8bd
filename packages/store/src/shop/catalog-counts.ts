import { randomUUID } from 'node:crypto';
import type { ShopDatabase } from './schema.ts';

/**
 * Maximum age of a count, in milliseconds. A process with an earlier release doesn't update the version when it changes
 * the catalog, so this limit determines how long a count can be wrong.
 */
const MAX_AGE_MS = 60_000;

/** Maximum number of counts in memory. */
const MAX_COUNTS = 10_000;

interface Kept {
  readonly version: string | null;
  readonly until: number;
  readonly value: Promise<unknown>;
}

/** Catalog counts for each shop. A count is reused until the shop's catalog changes, for up to a minute. */
export interface CatalogCounts {
  /**
   * Returns a count for a shop's catalog. Computes the count if the catalog has changed since the last computation or
   * if the cached count is too old.
   */
  of<T>(shop: string, name: string, compute: () => Promise<T>): Promise<T>;
}

/**
 * Creates a cache of catalog counts for a store. Processes that share a database use the catalog version to detect each
 * other's changes.
 */
export function createCatalogCounts(durable: ShopDatabase, clock: () => number): CatalogCounts {
  const counts = new Map<string, Kept>();
  return {
    async of<T>(shop: string, name: string, compute: () => Promise<T>): Promise<T> {
      const row = await durable
        .selectFrom('shops')
        .select('catalog_version')
        .where('shop', '=', shop)
        .executeTakeFirst();
      const version = row?.catalog_version ?? null;
      const key = `${shop} ${name}`;
      const kept = counts.get(key);
      const now = clock();
      if (kept && version !== null && kept.version === version && now < kept.until) return (await kept.value) as T;
      const value = compute();
      counts.delete(key);
      counts.set(key, { version, until: now + MAX_AGE_MS, value });
      if (counts.size > MAX_COUNTS) counts.delete(counts.keys().next().value!);
      value.catch(() => counts.delete(key));
      return await value;
    },
  };
}

/**
 * Records that a shop's variants or product certificates changed. Call this function in the transaction that changes
 * them.
 */
export async function changeCatalogVersion(trx: ShopDatabase, shop: string): Promise<void> {
  await trx.updateTable('shops').set({ catalog_version: randomUUID() }).where('shop', '=', shop).execute();
}
