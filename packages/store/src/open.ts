import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Blobs, createBlobs } from './blobs/blobs.ts';
import { createFolderBackend } from './blobs/folder-backend.ts';
import { createS3Backend, type S3Options } from './blobs/s3-backend.ts';
import { connectPostgres, describeDatabaseUrl } from './database/postgres.ts';
import type { Connections } from './database/schema.ts';
import { SQLITE_LOCATION } from './database/sqlite/failure.ts';
import { connectSqlite, sqliteFile } from './database/sqlite/sqlite.ts';
import { StoreError } from './errors.ts';
import type { LimitQuotas } from './keys/limits.ts';
import { type Store, startStore } from './store.ts';

/**
 * Locations for a store's data. Tables are stored in `databaseUrl` if it's set, otherwise in `dataDir`. PDFs are stored
 * in `s3` if it's set, otherwise in `dataDir`. Opening the store requires a location for tables, and issuing
 * certificates requires a location for PDFs.
 */
export interface StoreOptions {
  /** Folder for `compliance.sqlite` and `blobs/`. If the folder doesn't exist, it's created with mode 0700. */
  readonly dataDir?: string | undefined;
  /** PostgreSQL URL, such as `postgres://user:password@host:port/database`. */
  readonly databaseUrl?: string | undefined;
  /**
   * Bucket for PDFs, as returned by `readS3Settings`. Required if processes on several machines share a database, so
   * that each process can read all PDFs.
   */
  readonly s3?: S3Options | undefined;
  /**
   * Returns the current time in milliseconds since the Unix epoch, as a whole number. All times in the store are from
   * this clock.
   */
  readonly clock: () => number;
  /** Whether to create the store if it doesn't exist yet. Defaults to true. */
  readonly create?: boolean | undefined;
  /** Maximum number of requests per key family. Defaults to 100 requests a minute and 10,000 a day. */
  readonly limits?: Partial<LimitQuotas> | undefined;
}

/**
 * Opens the service's store and migrates its tables. Several processes can open the same folder or database at the same
 * time.
 *
 * @throws StoreError with `config_invalid`, `database_unavailable`, `database_damaged`, `database_newer`,
 * `storage_full`, or `storage_read_only`, or with `store_missing` if `create` is false and nothing has been stored at
 * this location
 * @example
 * const store = await openStore({ dataDir: './data', databaseUrl: process.env.DATABASE_URL, clock: Date.now });
 */
export async function openStore({ clock, limits, create = true, ...location }: StoreOptions): Promise<Store> {
  if (!create) refuseNewLocation(location);
  const blobs = openBlobs(location);
  return await startStore(connect(location), { clock, limits, create, blobs });
}

/** Location of a store's tables and PDFs. */
export type StoreLocation = Pick<StoreOptions, 'dataDir' | 'databaseUrl' | 's3'>;

/**
 * Describes the locations of a store's tables and PDFs, without secrets.
 *
 * @throws StoreError with `config_invalid`
 * @example describeLocation({ databaseUrl: 'postgres://bob:pw@db:5432/app', s3 }).tables // 'PostgreSQL at db:5432/app'
 */
export function describeLocation({ databaseUrl, s3 }: StoreLocation): { tables: string; pdfs: string } {
  return {
    tables: databaseUrl ? describeDatabaseUrl(databaseUrl) : SQLITE_LOCATION,
    pdfs: s3 ? createS3Backend(s3).location : 'the blobs folder in the data folder',
  };
}

/** Opens the PDF storage, but doesn't connect or create anything until the storage is used. */
export function openBlobs({ dataDir, s3 }: StoreLocation): Blobs {
  return createBlobs(s3 ? createS3Backend(s3) : dataDir ? createFolderBackend(dataDir) : null);
}

/** Returns whether opening the store would create a new SQLite database in the data folder. */
export function isNewLocation({ dataDir, databaseUrl }: StoreLocation): boolean {
  return !databaseUrl && !!dataDir && !existsSync(sqliteFile(dataDir));
}

/**
 * Rejects a data folder that doesn't contain a store.
 *
 * @throws StoreError with `store_missing`
 */
export function refuseNewLocation(location: StoreLocation): void {
  if (!isNewLocation(location)) return;
  throw new StoreError('store_missing', `${resolve(location.dataDir!)} doesn't contain a store.`);
}

/**
 * Connects to the database without migrating its tables.
 *
 * @throws StoreError with `config_invalid`
 */
export function connect({ dataDir, databaseUrl }: StoreLocation): Connections {
  if (databaseUrl) return connectPostgres(databaseUrl);
  if (dataDir) return connectSqlite(dataDir);
  throw new StoreError(
    'config_invalid',
    'No storage location is configured: specify a data folder or a postgres:// URL.',
  );
}
