import { StoreError } from './errors.ts';
import type { LimitQuotas } from './limits.ts';
import { connectPostgres } from './postgres.ts';
import { connectSqlite } from './sqlite.ts';
import { type Store, startStore } from './store.ts';

/** Where the store lives. `databaseUrl` wins over `dataDir`; one of them is needed. */
export interface StoreOptions {
  /** Folder of `compliance.sqlite`, made with mode 0700 when it does not exist. */
  readonly dataDir?: string | undefined;
  /** `postgres://user:password@host:port/database`. */
  readonly databaseUrl?: string | undefined;
  /** Milliseconds since epoch, a whole number; the store's only source of time. */
  readonly clock: () => number;
  /** Requests per key family; 100 a minute and 10,000 a day when left out. */
  readonly limits?: Partial<LimitQuotas> | undefined;
}

/**
 * Opens the store and brings its tables up to date. Several processes may open the same folder or database at once.
 *
 * @throws StoreError `config_invalid`, `database_unavailable`
 * @example
 * const store = await openStore({ dataDir: './data', databaseUrl: process.env.DATABASE_URL, clock: Date.now });
 */
export async function openStore({ dataDir, databaseUrl, clock, limits }: StoreOptions): Promise<Store> {
  if (databaseUrl) return await startStore(connectPostgres(databaseUrl), { clock, limits });
  if (dataDir) return await startStore(connectSqlite(dataDir), { clock, limits });
  throw new StoreError('config_invalid', 'The store needs a place: give a data folder or a postgres:// URL.');
}
