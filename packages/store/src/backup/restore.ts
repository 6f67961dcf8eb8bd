import { dirname } from 'node:path';
import { type Blobs, createBlobs } from '../blobs/blobs.ts';
import { createFolderShelf } from '../blobs/folder.ts';
import { appliedMigrations, MIGRATIONS, migrate } from '../database/migrations/index.ts';
import type { Connections } from '../database/schema.ts';
import { StoreError } from '../errors.ts';
import { connect, openBlobs, type StorePlace } from '../open.ts';
import { ping } from '../store.ts';
import { type Head, readFile } from './file.ts';
import { copyPdfs, missingPdfs } from './pdfs.ts';
import { type AnyDatabase, anyTable, KEPT, type Row } from './tables.ts';

/** How many rows are written at a time. */
const BATCH = 100;

/** What was restored. */
export interface Restored extends Head {
  /** How many rows of each table. */
  readonly rows: Readonly<Record<string, number>>;
  readonly pdfs: number;
  /** SHA-256 of PDFs that were lost before the backup was made. */
  readonly lacking: readonly string[];
}

/**
 * Restores a backup into an empty place, of either engine. The whole backup is checked first, PDFs included; then the PDFs
 * are copied; then all rows are written or none. A backup of an earlier release is brought up to date.
 *
 * @throws StoreError `backup_damaged`; `backup_refused` when the place holds data already or the backup is of a newer release
 * @example
 * await restore({ databaseUrl, s3 }, { file: '/backups/compliance-2026-11-21T06-31-00-000Z.jsonl.gz' });
 */
export async function restore(place: StorePlace, { file }: { readonly file: string }): Promise<Restored> {
  const shelf = createBlobs(createFolderShelf(dirname(file)));
  const checked = await check(file, shelf);
  const connections = connect(place);
  try {
    await ping(connections);
    await makeReady(connections, checked.migrations);
    await copyPdfs(checked.pdfs, shelf, openBlobs(place));
    await connections.ledger.transaction().execute(trx => write(anyTable(trx), file));
    await migrate(connections.ledger);
    return { ...checked, pdfs: checked.pdfs.size };
  } finally {
    await Promise.all([connections.ledger.destroy(), connections.counters.destroy()]);
  }
}

/** Reads all of a backup once, and each of its PDFs. */
async function check(file: string, shelf: Blobs) {
  const seen: Head[] = [];
  const pdfs = new Set<string>();
  const { rows, lacking } = await readFile(
    file,
    head => {
      if (!head.migrations.every(name => MIGRATIONS.includes(name))) {
        throw new StoreError(
          'backup_refused',
          `${file} is of a newer release. Restore it with the command of that release.`,
        );
      }
      seen.push(head);
    },
    (table, row) => {
      if (!(table in KEPT))
        throw new StoreError('backup_damaged', `${file} holds a table that no release has: ${table}.`);
      if (table === 'certificates') pdfs.add(String(row.sha256));
    },
  );
  for (const sha256 of lacking) pdfs.delete(sha256);
  const missing = await missingPdfs(pdfs, shelf);
  if (missing.length > 0) {
    throw new StoreError(
      'backup_damaged',
      `The folder blobs beside ${file} lacks ${missing.length} of its PDFs, or has them damaged, first ${missing[0]}. ` +
        'Nothing was restored. Bring the whole folder of the backup here.',
    );
  }
  return { ...seen[0]!, rows, lacking, pdfs };
}

/** Makes the tables as the backup knew them, unless someone's data is there. */
async function makeReady({ ledger, place }: Connections, migrations: readonly string[]): Promise<void> {
  const applied = await appliedMigrations(ledger);
  if (!applied.every(name => migrations.includes(name))) {
    throw new StoreError(
      'backup_refused',
      `${place} was set up by a newer release than the backup is of. Restore it into a folder or a database that no release has opened.`,
    );
  }
  const there = new Set((await ledger.introspection.getTables()).map(({ name }) => name));
  for (const table of Object.keys(KEPT).filter(name => there.has(name))) {
    const row = await anyTable(ledger).selectFrom(table).selectAll().limit(1).executeTakeFirst();
    if (row) {
      throw new StoreError(
        'backup_refused',
        `${place} holds data already (${table}). Nothing was changed. Restore into an empty data folder or database.`,
      );
    }
  }
  await migrate(ledger, migrations.at(-1)!);
}

async function write(db: AnyDatabase, file: string): Promise<void> {
  let waiting: { table: string; rows: Row[] } = { table: '', rows: [] };
  const flush = async () => {
    if (waiting.rows.length > 0) await db.insertInto(waiting.table).values(waiting.rows).execute();
  };
  const put = async (table: string, row: Row) => {
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
    throw new StoreError('backup_damaged', `${file} lacks certificates that others took the place of.`);
}

/** Certificates in an order in which each comes after the one whose place it took: clocks of processes differ. */
function createSuccessors() {
  const written = new Set<unknown>([null]);
  const waiting = new Map<unknown, Row>();
  return {
    /** How many rows have not been released. */
    waiting: () => waiting.size,
    /** The rows that can be written now that this one has come. */
    release(row: Row): Row[] {
      if (!written.has(row.supersedes)) {
        waiting.set(row.supersedes, row);
        return [];
      }
      const ready: Row[] = [];
      for (let next: Row | undefined = row; next; next = waiting.get(next.id)) {
        waiting.delete(next.supersedes);
        written.add(next.id);
        ready.push(next);
      }
      return ready;
    },
  };
}
