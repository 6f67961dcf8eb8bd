import type { BlobFiles } from '../blobs/blobs.ts';
import type { NewId } from '../database/ids.ts';
import { StoreError } from '../errors.ts';
import type { CatalogCounts } from './catalog-counts.ts';
import type { ShopDatabase, ShopRow } from './schema.ts';

/** Dependencies that all of the shop store's repositories share. */
export interface StoreContext {
  readonly durable: ShopDatabase;
  readonly clock: () => number;
  readonly newId: NewId;
  /** Files in blob storage that the rows refer to. */
  readonly files: BlobFiles;
  readonly catalogCounts: CatalogCounts;
}

/** Access to a shop's data, for the shop's repositories. */
export interface ShopScope extends StoreContext {
  readonly shop: string;
  /**
   * Runs a transaction that locks the shop, so that writes to one shop are serialized. Rejects writes to an unknown
   * shop and writes by a worker that lost its lease. Within the transaction, use only `trx`: on SQLite, any other write
   * would wait for the transaction and never complete, and any other read wouldn't see the transaction's changes.
   *
   * @throws StoreError with `shop_unknown` or `lease_lost`
   */
  write<T>(work: (trx: ShopDatabase, row: ShopRow) => Promise<T>): Promise<T>;
  /**
   * Runs a transaction like `write`, but also for an unknown shop.
   *
   * @throws StoreError with `lease_lost`
   */
  writeAnyway<T>(work: (trx: ShopDatabase, row: ShopRow | null) => Promise<T>): Promise<T>;
}

/** Checks the lease within the transaction of each write. */
export type Fence = (trx: ShopDatabase) => Promise<void>;

const DOMAIN = /^[a-z0-9][a-z0-9-]{0,99}\.myshopify\.com$/;

/** @throws StoreError with `shop_invalid` */
export function checkedDomain(domain: string): string {
  if (DOMAIN.test(domain)) return domain;
  throw new StoreError('shop_invalid', 'Use the shop’s domain in lowercase, such as some-name.myshopify.com.');
}

/** @throws StoreError with `shop_invalid` */
export function createShopScope(context: StoreContext, domain: string, fence: Fence = async () => {}): ShopScope {
  const shop = checkedDomain(domain);
  const writeAnyway: ShopScope['writeAnyway'] = work =>
    context.durable.transaction().execute(async trx => {
      // Always lock the shop first so that these transactions can't deadlock.
      const row = await holdShop(trx, shop);
      await fence(trx);
      return await work(trx, row);
    });
  return {
    ...context,
    shop,
    writeAnyway,
    write: work =>
      writeAnyway(async (trx, row) => {
        if (!row) throw unknownShop(shop);
        return await work(trx, row);
      }),
  };
}

/**
 * Reads and locks a shop. Locks the row with an update that doesn't change it, which is the only kind of row lock that
 * both engines support.
 */
export async function holdShop(trx: ShopDatabase, shop: string): Promise<ShopRow | null> {
  const row = await trx
    .updateTable('shops')
    .set(eb => ({ shop: eb.ref('shop') }))
    .where('shop', '=', shop)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

function unknownShop(shop: string): StoreError {
  return new StoreError('shop_unknown', `${shop} hasn’t installed the app. Call shops.install first.`);
}

/** Removes NUL characters from untrusted text, because PostgreSQL can't store them. */
export function stripNul(text: string): string {
  return text.replaceAll('\0', '');
}
