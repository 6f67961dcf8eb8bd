import { createBlobs } from './blobs/blobs.ts';
import { createFolderShelf } from './blobs/folder.ts';
import { createS3Shelf, type S3Options } from './blobs/s3.ts';
import { StoreError } from './errors.ts';
import type { LimitQuotas } from './limits.ts';
import { connectPostgres } from './postgres.ts';
import { connectSqlite } from './sqlite.ts';
import { type Store, startStore } from './store.ts';

/**
 * Where the store lives: tables in `databaseUrl`, else in `dataDir`; PDFs in `s3`, else in `dataDir`. Tables need a
 * place at opening, PDFs when the first certificate is issued.
 */
export interface StoreOptions {
  /** Folder of `compliance.sqlite` and `blobs/`, made with mode 0700 when it does not exist. */
  readonly dataDir?: string | undefined;
  /** `postgres://user:password@host:port/database`. */
  readonly databaseUrl?: string | undefined;
  /** Needed when processes on several machines share a database: they must find each other's PDFs. */
  readonly s3?: S3Options | undefined;
  /** Milliseconds since epoch, a whole number; the only source of the times that are stored. */
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
export async function openStore({ dataDir, databaseUrl, s3, clock, limits }: StoreOptions): Promise<Store> {
  const blobs = createBlobs(s3 ? createS3Shelf(s3) : dataDir ? createFolderShelf(dataDir) : null);
  if (databaseUrl) return await startStore(connectPostgres(databaseUrl), { clock, limits, blobs });
  if (dataDir) return await startStore(connectSqlite(dataDir), { clock, limits, blobs });
  throw new StoreError('config_invalid', 'The store needs a place: give a data folder or a postgres:// URL.');
}
