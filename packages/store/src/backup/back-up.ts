import { constants } from 'node:fs';
import { access, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { createBlobs } from '../blobs/blobs.ts';
import { createFolderBackend, syncFolder } from '../blobs/folder-backend.ts';
import { appliedMigrations, MIGRATIONS } from '../database/migrations/index.ts';
import type { Connections } from '../database/schema.ts';
import { StoreError } from '../errors.ts';
import { connect, openBlobs, refuseNewLocation, type StoreLocation } from '../open.ts';
import { ping } from '../store.ts';
import { adviceOnPermission, type BackupOrigin, createFile } from './backup-file.ts';
import { refuseUnsuitableFolder } from './backup-folder.ts';
import { copyPdfs } from './copy-pdfs.ts';
import { BACKED_UP, rowsOf, withoutSchema } from './tables.ts';

/** A completed backup. */
export interface Backup {
  /** Backup file that contains the tables. The PDFs are in the `blobs/` folder next to this file. */
  readonly file: string;
  /** Time of the backup in UTC, in RFC 3339 format. */
  readonly madeAt: string;
  /** Number of rows per table. */
  readonly rows: Readonly<Record<string, number>>;
  /** Number of PDFs in the backup, not counting those in `lacking`. */
  readonly pdfs: number;
  /** SHA-256 hash of each PDF that isn't in the backup because it's missing or damaged in the store. */
  readonly lacking: readonly string[];
}

/**
 * Backs up a store, even while the store is in use. Writes a consistent snapshot of the tables to a new file whose name
 * contains the time. PDFs that aren't yet in the backup folder are copied to the `blobs/` folder next to the file. The
 * file has a temporary name until all data is on disk. Backups don't contain secrets: the tables contain only the
 * SHA-256 hash and a few characters of each key, and the operator secret and sessions are omitted. Never overwrites a
 * backup. Replaces a PDF in the `blobs/` folder only if the PDF there is damaged.
 *
 * @throws StoreError with `store_missing` if the store was never opened, or `backup_refused` if a newer release
 * migrated the store or if the folder isn't suitable. Other codes: `database_unavailable`, `blobs_unavailable`
 * @example
 * const { file, lacking } = await backUp({ dataDir: './data' }, { folder: '/backups', clock: Date.now });
 */
export async function backUp(
  location: StoreLocation,
  {
    folder,
    clock,
    origin = {},
  }: { readonly folder: string; readonly clock: () => number; readonly origin?: BackupOrigin },
): Promise<Backup> {
  refuseNewLocation(location);
  const madeAt = new Date(clock()).toISOString();
  const name = `compliance-${madeAt.replace(/[:.]/g, '-')}.jsonl.gz`;
  await openFolder(folder, location, origin);
  const unfinished = join(folder, `.${name}.${process.pid}`);
  const connections = connect(location);
  try {
    await ping(connections);
    const migrations = await appliedMigrations(connections.durable);
    refuseUnknown(migrations, connections);
    const file = await createFile(unfinished, { madeAt, engine: connections.engine, ...origin, migrations });
    try {
      const pdfs = await atOneMoment(connections, file.add);
      const lacking = await copyPdfs(pdfs, openBlobs(location), createBlobs(createFolderBackend(folder)));
      const { rows } = await file.end(lacking);
      await refuseExisting(join(folder, name));
      await rename(unfinished, join(folder, name));
      await syncFolder(folder);
      return { file: join(folder, name), madeAt, rows, pdfs: pdfs.size - lacking.length, lacking };
    } catch (error) {
      await file.abandon();
      throw error;
    }
  } finally {
    await rm(unfinished, { force: true });
    await Promise.all([connections.durable.destroy(), connections.bestEffort.destroy()]);
  }
}

/** Checks that the backup folder is suitable and accessible, and creates it if it doesn't exist. */
async function openFolder(folder: string, { dataDir }: StoreLocation, { service }: BackupOrigin): Promise<void> {
  try {
    await refuseUnsuitableFolder(folder, { service, dataDir });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const todo = code === 'EACCES' || code === 'EPERM' ? adviceOnPermission(folder) : 'Specify another folder.';
    throw new StoreError('backup_refused', `Can't write to ${folder} (${code}). ${todo}`);
  }
}

async function refuseExisting(file: string): Promise<void> {
  const exists = await access(file).then(
    () => true,
    () => false,
  );
  if (exists) throw new StoreError('backup_refused', `${file} already exists. Run the backup again.`);
}

function refuseUnknown(migrations: readonly string[], { location }: Connections): void {
  if (migrations.length === 0) {
    throw new StoreError('store_missing', `${location} doesn't contain a store.`);
  }
  if (!migrations.every(name => MIGRATIONS.includes(name))) {
    throw new StoreError(
      'backup_refused',
      `${location} was migrated by a newer release. Use that release to back up the store.`,
    );
  }
}

/**
 * Passes each row of a consistent snapshot of the tables to `add`, without blocking writers. Returns the SHA-256 hash
 * of each PDF.
 */
async function atOneMoment(
  { engine, durable }: Connections,
  add: (table: string, row: Record<string, string | number | null>) => Promise<void>,
): Promise<Set<string>> {
  const pdfs = new Set<string>();
  const there = new Set((await durable.introspection.getTables()).map(({ name }) => name));
  await durable.connection().execute(async connection => {
    await (engine === 'sqlite' ? sql`begin` : sql`begin isolation level repeatable read read only`).execute(connection);
    for (const table of Object.keys(BACKED_UP) as (keyof typeof BACKED_UP)[]) {
      if (!there.has(table)) continue;
      for await (const row of rowsOf(withoutSchema(connection), table)) {
        if (table === 'certificates') pdfs.add(row.sha256 as string);
        await add(table, row);
      }
    }
    await sql`commit`.execute(connection);
  });
  return pdfs;
}
