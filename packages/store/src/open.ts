import { existsSync } from 'node:fs';
import { type Blobs, createBlobs } from './blobs/blobs.ts';
import { createFolderShelf } from './blobs/folder.ts';
import { createS3Shelf, type S3Options } from './blobs/s3.ts';
import { connectPostgres } from './database/postgres.ts';
import type { Connections } from './database/schema.ts';
import { connectSqlite, sqliteFile } from './database/sqlite.ts';
import { StoreError } from './errors.ts';
import type { LimitQuotas } from './keys/limits.ts';
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
  /** Needed when processes on several machines share a database: they must find each other's PDFs. `readS3Settings` reads it. */
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
export async function openStore({ clock, limits, ...place }: StoreOptions): Promise<Store> {
  const blobs = openBlobs(place);
  return await startStore(connect(place), { clock, limits, blobs });
}

/** Where the tables and the PDFs of a store are. */
export type StorePlace = Pick<StoreOptions, 'dataDir' | 'databaseUrl' | 's3'>;

/** Where its PDFs lie. Nothing is connected or made before the first of them. */
export function openBlobs({ dataDir, s3 }: StorePlace): Blobs {
  return createBlobs(s3 ? createS3Shelf(s3) : dataDir ? createFolderShelf(dataDir) : null);
}

/** Whether the tables would be in a data folder that nothing was written to yet. */
export function isNewPlace({ dataDir, databaseUrl }: StorePlace): boolean {
  return !databaseUrl && !!dataDir && !existsSync(sqliteFile(dataDir));
}

/**
 * Its tables as they are, without bringing them up to date.
 *
 * @throws StoreError `config_invalid`
 */
export function connect({ dataDir, databaseUrl }: StorePlace): Connections {
  if (databaseUrl) return connectPostgres(databaseUrl);
  if (dataDir) return connectSqlite(dataDir);
  throw new StoreError('config_invalid', 'The store needs a place: give a data folder or a postgres:// URL.');
}
