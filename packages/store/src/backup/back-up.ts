import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { createBlobs } from '../blobs/blobs.ts';
import { createFolderShelf, syncFolder } from '../blobs/folder.ts';
import { appliedMigrations, MIGRATIONS } from '../database/migrations/index.ts';
import type { Connections } from '../database/schema.ts';
import { StoreError } from '../errors.ts';
import { connect, isNewPlace, openBlobs, type StorePlace } from '../open.ts';
import { ping } from '../store.ts';
import { createFile } from './file.ts';
import { copyPdfs } from './pdfs.ts';
import { anyTable, KEPT, rowsOf } from './tables.ts';

const NOTHING = 'There is no store yet, so there is nothing to back up. Check the data folder and DATABASE_URL.';

/** A backup that was made. */
export interface Backup {
  /** The file of the tables; the PDFs are in `blobs/` beside it. */
  readonly file: string;
  /** How many rows of each table. */
  readonly rows: Readonly<Record<string, number>>;
  /** How many PDFs there are now in the folder that the certificates of this backup name. */
  readonly pdfs: number;
  /** SHA-256 of PDFs that the store has lost, or holds damaged: the backup lacks them. */
  readonly lacking: readonly string[];
}

/**
 * Backs a store up while it is in use: its tables as they are at one moment, in a file of their own with the time in its
 * name, and its PDFs in `blobs/` beside it, where those of earlier backups are and need not be copied again. The file gets
 * its name when everything it needs is on disk. No secret is in it: of keys only the SHA-256, and neither the operator's
 * secret nor sessions.
 *
 * @throws StoreError `backup_refused` when the store is of a newer release or was never opened; `database_unavailable`, `blobs_unavailable`
 * @example
 * const { file, lacking } = await backUp({ dataDir: './data' }, { folder: '/backups', clock: Date.now });
 */
export async function backUp(
  place: StorePlace,
  { folder, clock }: { readonly folder: string; readonly clock: () => number },
): Promise<Backup> {
  if (isNewPlace(place)) throw new StoreError('backup_refused', NOTHING);
  const madeAt = new Date(clock()).toISOString();
  const name = `compliance-${madeAt.replace(/[:.]/g, '-')}.jsonl.gz`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const unfinished = join(folder, `.${name}.${process.pid}`);
  const connections = connect(place);
  try {
    await ping(connections);
    const migrations = await appliedMigrations(connections.ledger);
    refuseUnknown(migrations, connections);
    const file = await createFile(unfinished, { madeAt, engine: connections.engine, migrations });
    try {
      const pdfs = await atOneMoment(connections, file.add);
      const lacking = await copyPdfs(pdfs, openBlobs(place), createBlobs(createFolderShelf(folder)));
      const { rows } = await file.end(lacking);
      await rename(unfinished, join(folder, name));
      await syncFolder(folder);
      return { file: join(folder, name), rows, pdfs: pdfs.size - lacking.length, lacking };
    } catch (error) {
      await file.abandon();
      throw error;
    }
  } finally {
    await rm(unfinished, { force: true });
    await Promise.all([connections.ledger.destroy(), connections.counters.destroy()]);
  }
}

function refuseUnknown(migrations: readonly string[], { place }: Connections): void {
  if (migrations.length === 0) {
    throw new StoreError('backup_refused', NOTHING);
  }
  if (!migrations.every(name => MIGRATIONS.includes(name))) {
    throw new StoreError(
      'backup_refused',
      `${place} is of a newer release. Back it up with the command of that release.`,
    );
  }
}

/** Reads all tables as they are at one moment, without holding anyone up, and gives the SHA-256 of all PDFs that they name. */
async function atOneMoment(
  { engine, ledger }: Connections,
  add: (table: string, row: Record<string, string | number | null>) => Promise<void>,
): Promise<Set<string>> {
  const pdfs = new Set<string>();
  const there = new Set((await ledger.introspection.getTables()).map(({ name }) => name));
  await ledger.connection().execute(async connection => {
    await (engine === 'sqlite' ? sql`begin` : sql`begin isolation level repeatable read read only`).execute(connection);
    for (const table of Object.keys(KEPT) as (keyof typeof KEPT)[]) {
      if (!there.has(table)) continue;
      for await (const row of rowsOf(anyTable(connection), table)) {
        if (table === 'certificates') pdfs.add(row.sha256 as string);
        await add(table, row);
      }
    }
    await sql`commit`.execute(connection);
  });
  return pdfs;
}
