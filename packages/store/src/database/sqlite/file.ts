import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import type { QueryResult } from 'kysely';
import { sqlite } from './node-sqlite.ts';

const BUSY_TIMEOUT_MS = 5000;
const SQLITE_BUSY = 5;

/** An open database file. Its methods block the thread and throw SQLite's errors. */
export interface SqliteFile {
  /** Runs one statement. */
  execute(sql: string, parameters: readonly unknown[]): QueryResult<unknown>;
  isInTransaction(): boolean;
  close(): void;
}

/**
 * Opens a connection to a database file.
 *
 * @param synchronous a `full` connection syncs the disk on every commit and runs checkpoints, which move the
 * write-ahead log's pages to the database file. A `normal` connection never syncs the disk, so another connection has
 * to run the checkpoints.
 */
export async function openSqliteFile(file: string, synchronous: 'full' | 'normal'): Promise<SqliteFile> {
  const db = new sqlite.DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
  await enterWal(db);
  db.exec(`pragma synchronous = ${synchronous}`);
  if (synchronous === 'normal') db.exec('pragma wal_autocheckpoint = 0');
  // Cache prepared statements, because the store runs a few statements very often, and preparing a statement costs more
  // than running it.
  const prepared = new Map<string, { statement: ReturnType<DatabaseSync['prepare']>; returnsRows: boolean }>();
  const prepare = (sql: string) => {
    const known = prepared.get(sql);
    if (known) return known;
    const statement = db.prepare(sql);
    const made = { statement, returnsRows: statement.columns().length > 0 };
    prepared.set(sql, made);
    return made;
  };
  return {
    execute(sql, parameters) {
      const { statement, returnsRows } = prepare(sql);
      const values = parameters as readonly SQLInputValue[];
      if (returnsRows) return { rows: statement.all(...values) };
      return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) };
    },
    isInTransaction: () => db.isTransaction,
    close: () => db.close(),
  };
}

/**
 * Enables the write-ahead log, with retries. If several processes open a new file at the same time, only one process
 * succeeds immediately, and `busy_timeout` doesn't apply to this statement.
 */
async function enterWal(db: DatabaseSync): Promise<void> {
  const step = 20;
  for (let waited = 0; ; waited += step) {
    try {
      db.exec('pragma journal_mode = wal');
      return;
    } catch (error) {
      if ((error as { errcode?: number }).errcode !== SQLITE_BUSY || waited >= BUSY_TIMEOUT_MS) throw error;
      await pause(step);
    }
  }
}
