import type { NewId } from '../database/ids.ts';
import type { Database } from '../database/schema.ts';
import { StoreError } from '../errors.ts';
import type { ShopRow } from './schema.ts';

/** What all that is kept of shops is made with. */
export interface Ground {
  readonly ledger: Database;
  readonly clock: () => number;
  readonly newId: NewId;
}

/** One shop, for the repositories that keep something of it. */
export interface Scope extends Ground {
  readonly shop: string;
  /**
   * One transaction that holds the shop: writes to one shop come one after the other, and none to a shop that is not there,
   * or through a fence that is down. Within it use `trx` alone: SQLite has one connection, and it is taken.
   *
   * @throws StoreError `shop_unknown`, `lease_lost`
   */
  write<T>(work: (trx: Database, row: ShopRow) => Promise<T>): Promise<T>;
  /** The same for work that has a meaning also when the shop is not there. @throws StoreError `lease_lost` */
  writeAnyway<T>(work: (trx: Database, row: ShopRow | null) => Promise<T>): Promise<T>;
}

/** Checked within the transaction of each write. */
export type Fence = (trx: Database) => Promise<void>;

const DOMAIN = /^[a-z0-9][a-z0-9-]{0,99}\.myshopify\.com$/;

/** @throws StoreError `shop_invalid` */
export function checkedDomain(domain: string): string {
  if (DOMAIN.test(domain)) return domain;
  throw new StoreError('shop_invalid', 'Name a shop by its domain in lower case, such as some-name.myshopify.com.');
}

/** @throws StoreError `shop_invalid` */
export function createScope(ground: Ground, domain: string, fence: Fence = async () => {}): Scope {
  const shop = checkedDomain(domain);
  const writeAnyway: Scope['writeAnyway'] = work =>
    ground.ledger.transaction().execute(async trx => {
      // The shop first, then anything else, always: so no two of these wait for each other.
      const row = await holdShop(trx, shop);
      await fence(trx);
      return await work(trx, row);
    });
  return {
    ...ground,
    shop,
    writeAnyway,
    write: work =>
      writeAnyway(async (trx, row) => {
        if (!row) throw unknownShop(shop);
        return await work(trx, row);
      }),
  };
}

/** Reads a shop and keeps others from changing it. Writing it unchanged is the row lock that both engines know. */
export async function holdShop(trx: Database, shop: string): Promise<ShopRow | null> {
  const row = await trx
    .updateTable('shops')
    .set(eb => ({ shop: eb.ref('shop') }))
    .where('shop', '=', shop)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

function unknownShop(shop: string): StoreError {
  return new StoreError('shop_unknown', `${shop} does not have the app. Remember it by shops.install first.`);
}

/** JSON text of any value; of none, that of null. */
export function toJson(value: unknown): string {
  return JSON.stringify(value ?? null);
}

/** A stranger's text as PostgreSQL takes it: it has no room for NUL. */
export function plain(text: string): string {
  return text.replaceAll('\0', '');
}
