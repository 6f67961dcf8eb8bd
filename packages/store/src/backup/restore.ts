import { dirname } from 'node:path';
import { type Blobs, createBlobs } from '../blobs/blobs.ts';
import { createFolderBackend } from '../blobs/folder-backend.ts';
import { appliedMigrations, MIGRATIONS, migrate } from '../database/migrations/index.ts';
import type { Connections } from '../database/schema.ts';
import { StoreError } from '../errors.ts';
import { connect, openBlobs, type StoreLocation } from '../open.ts';
import { ping } from '../store.ts';
import { type BackupHeader, readFile } from './backup-file.ts';
import { copyPdfs, missingPdfs } from './copy-pdfs.ts';
import { type AnyDatabase, BACKED_UP, type BackupRow, withoutSchema } from './tables.ts';

/** Maximum number of rows per insert statement. */
const BATCH = 100;

/** A verified backup, or a completed restore. */
export interface RestoreResult extends BackupHeader {
  /** Number of rows per table. */
  readonly rows: Readonly<Record<string, number>>;
  readonly pdfs: number;
  /** SHA-256 hash of each PDF that was already missing or damaged at the time of the backup. */
  readonly lacking: readonly string[];
}

/**
 * Restores a backup from either engine to an empty folder or database. Verifies the whole backup, including the PDFs,
 * before copying the PDFs and writing all rows in one transaction. If the backup is from an earlier release, migrates
 * the restored tables.
 *
 * @param onVerified receives a description of the backup after verification and before anything is written; to cancel
 * the restore, throw an error
 * @throws StoreError with `backup_damaged`, or with `backup_refused` if the target already contains data or the backup
 * is from a newer release
 * @example
 * await restore({ databaseUrl, s3 }, { file: '/backups/compliance-2026-11-21T06-31-00-000Z.jsonl.gz' });
 */
export async function restore(
  location: StoreLocation,
  { file, onVerified = () => {} }: { readonly file: string; readonly onVerified?: (backup: RestoreResult) => void },
): Promise<RestoreResult> {
  const backend = createBlobs(createFolderBackend(dirname(file)));
  const checked = await check(file, backend);
  onVerified({ ...checked, pdfs: checked.pdfs.size });
  const connections = connect(location);
  try {
    await ping(connections);
    await makeReady(connections, checked.migrations);
    await copyPdfs(checked.pdfs, backend, openBlobs(location));
    await connections.durable.transaction().execute(trx => write(withoutSchema(trx), file));
    await migrate(connections.durable);
    return { ...checked, pdfs: checked.pdfs.size };
  } finally {
    await Promise.all([connections.durable.destroy(), connections.bestEffort.destroy()]);
  }
}

/** Verifies the whole backup, including its PDFs. Returns its header, its row counts, and the hashes of its PDFs. */
async function check(file: string, backend: Blobs) {
  const headers: BackupHeader[] = [];
  const pdfs = new Set<string>();
  const { rows, lacking } = await readFile(
    file,
    header => {
      if (!header.migrations.every(name => MIGRATIONS.includes(name))) {
        throw new StoreError(
          'backup_refused',
          `${file} is from a newer release. Use that release to restore the backup.`,
        );
      }
      headers.push(header);
    },
    (table, row) => {
      if (!(table in BACKED_UP)) throw new StoreError('backup_damaged', `${file} contains an unknown table: ${table}.`);
      if (table === 'certificates') pdfs.add(String(row.sha256));
    },
  );
  for (const sha256 of lacking) pdfs.delete(sha256);
  const missing = await missingPdfs(pdfs, backend);
  if (missing.length > 0) {
    throw new StoreError(
      'backup_damaged',
      `Missing or damaged PDFs in the blobs folder next to ${file}: ${missing.length}. The first is ${missing[0]}. ` +
        'Nothing was restored. Copy the whole backup folder.',
    );
  }
  return { ...headers[0]!, rows, lacking, pdfs };
}

/** Migrates the tables to the backup's schema version. Throws an error if the tables already contain data. */
async function makeReady({ durable, location }: Connections, migrations: readonly string[]): Promise<void> {
  const applied = await appliedMigrations(durable);
  if (!applied.every(name => migrations.includes(name))) {
    throw new StoreError(
      'backup_refused',
      `${location} was migrated by a newer release than the one that created the backup. Restore into a new folder or database.`,
    );
  }
  const there = new Set((await durable.introspection.getTables()).map(({ name }) => name));
  for (const table of Object.keys(BACKED_UP).filter(name => there.has(name))) {
    const row = await withoutSchema(durable).selectFrom(table).selectAll().limit(1).executeTakeFirst();
    if (row) {
      throw new StoreError(
        'backup_refused',
        `${location} already contains data (${table}). Nothing was changed. Restore into an empty data folder or database.`,
      );
    }
  }
  await migrate(durable, migrations.at(-1)!);
}

async function write(db: AnyDatabase, file: string): Promise<void> {
  let waiting: { table: string; rows: BackupRow[] } = { table: '', rows: [] };
  const flush = async () => {
    if (waiting.rows.length > 0) await db.insertInto(waiting.table).values(waiting.rows).execute();
  };
  const put = async (table: string, row: BackupRow) => {
    if (waiting.table === table && waiting.rows.length < BATCH) return void waiting.rows.push(row);
    await flush();
    waiting = { table, rows: [row] };
  };
  const successors = createSuccessors();
  await readFile(
    file,
    () => {},
    async (table, row) => {
      for (const ready of table === 'certificates' ? successors.release(row) : [row]) await put(table, ready);
    },
  );
  await flush();
  if (successors.waiting() > 0)
    throw new StoreError(
      'backup_damaged',
      `Some certificates in ${file} supersede certificates that the backup doesn't contain.`,
    );
}

/**
 * Creates a sorter that returns each certificate after its predecessor. Sorting by time isn't enough, because the
 * clocks of different processes differ.
 */
function createSuccessors() {
  const written = new Set<unknown>([null]);
  const waiting = new Map<unknown, BackupRow>();
  return {
    /** Returns the number of rows that are still waiting for their predecessors. */
    waiting: () => waiting.size,
    /** Adds a row, and returns the rows that can now be written. */
    release(row: BackupRow): BackupRow[] {
      if (!written.has(row.supersedes)) {
        waiting.set(row.supersedes, row);
        return [];
      }
      const ready: BackupRow[] = [];
      for (let next: BackupRow | undefined = row; next; next = waiting.get(next.id)) {
        waiting.delete(next.supersedes);
        written.add(next.id);
        ready.push(next);
      }
      return ready;
    },
  };
}
