import { createIds } from '../database/ids.ts';
import type { Connections } from '../database/schema.ts';
import { connect, openBlobs, refuseNewLocation, type StoreOptions } from '../open.ts';
import { type StartOptions, type Store, startStore } from '../store.ts';
import { createCatalogCounts } from './catalog-counts.ts';
import { createSessions, type Sessions } from './installation/sessions.ts';
import { createShops, type Shops } from './installation/shops.ts';
import { createWebhooks, type Webhooks } from './installation/webhooks.ts';
import { createJobs, type Jobs } from './queue.ts';
import { withShopTables } from './schema.ts';
import { createShopScope } from './scope.ts';
import { createShop, type Shop } from './shop.ts';

/**
 * Data store of the Shopify app: the service's store plus each shop's data. Opened by {@link openShopStore}.
 *
 * @example
 * const store = await openShopStore({ dataDir: './data', clock: Date.now });
 * await store.shops.install('some-name.myshopify.com', { scopes: ['read_products', 'read_themes'] });
 */
export interface ShopStore extends Store {
  /** Shops that have, or had, the app installed. */
  readonly shops: Shops;
  /** Sessions for all shops, keyed by session ID. Used by the Shopify library. */
  readonly sessions: Sessions;
  readonly webhooks: Webhooks;
  /** Job queue for all shops. Workers claim jobs from it. */
  readonly jobs: Jobs;
  /**
   * Returns one shop's data. Apart from sessions by ID and claimed jobs, this function is the only way to access a
   * shop's rows.
   *
   * @throws StoreError with `shop_invalid`
   * @example
   * const scans = await store.shop('some-name.myshopify.com').scans.list({ limit: 20 });
   */
  shop(domain: string): Shop;
}

/**
 * Opens the Shopify app's store and migrates its tables. This store can share a folder or database with the service's
 * store and with other app processes.
 *
 * @throws StoreError with the same codes as `openStore`
 * @example
 * const store = await openShopStore({ databaseUrl: process.env.DATABASE_URL, s3, clock: Date.now });
 */
export async function openShopStore({ clock, limits, create = true, ...location }: StoreOptions): Promise<ShopStore> {
  if (!create) refuseNewLocation(location);
  const blobs = openBlobs(location);
  return await startShopStore(connect(location), { clock, limits, create, blobs });
}

/**
 * Starts the Shopify app's store with open connections to an SQLite or PostgreSQL database. Closes the connections if
 * the store can't be started.
 */
export async function startShopStore(connections: Connections, options: StartOptions): Promise<ShopStore> {
  const store = await startStore(connections, options);
  const { clock } = options;
  const durable = withShopTables(connections.durable);
  const context = {
    ...{ durable, clock, catalogCounts: createCatalogCounts(durable, clock) },
    newId: createIds(clock),
    files: options.blobs.files,
  };
  return {
    ...store,
    shops: createShops(context),
    sessions: createSessions(context),
    webhooks: createWebhooks(context),
    jobs: createJobs(context),
    shop: domain => createShop(createShopScope(context, domain)),
  };
}
