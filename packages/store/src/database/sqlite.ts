import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { setTimeout as pause, setImmediate as untilEventsAreRead } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
} from 'kysely';
import { fileFailure, refusesWrites } from '../storage-failure.ts';
import type { Connections, DatabaseSchema } from './schema.ts';
import { createSqliteExplainer } from './sqlite-failure.ts';

const BUSY_TIMEOUT_MS = 5000;
const SQLITE_BUSY = 5;

/**
 * Statement that begins a transaction and immediately locks the database for writing. Otherwise, a transaction that
 * reads and then writes would fail if another process wrote in between.
 */
const BEGIN = CompiledQuery.raw('begin immediate');
const COMMIT = CompiledQuery.raw('commit');
const ROLLBACK = CompiledQuery.raw('rollback');

/** Location of the database in messages. */
export const SQLITE_LOCATION = 'compliance.sqlite in the data folder';

/** Returns the path of the database file in a data folder. */
export function sqliteFile(dataDir: string): string {
  return join(dataDir, 'compliance.sqlite');
}

/**
 * Opens `<dataDir>/compliance.sqlite`. If needed, creates the folder and the file so that only their owner can read
 * them.
 *
 * @throws StoreError with `storage_full` or `storage_read_only`
 */
export function connectSqlite(dataDir: string): Connections {
  const file = sqliteFile(dataDir);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    closeSync(openSync(file, 'a', 0o600));
  } catch (error) {
    throw fileFailure(error, SQLITE_LOCATION) ?? error;
  }

  const acquireLock = createLock();
  const open = (driver: SqliteDriver) => new Kysely<DatabaseSchema>({ dialect: new NodeSqliteDialect(driver) });
  return {
    engine: 'sqlite',
    durable: open(new DurableDriver(() => openFile(file, 'full'), acquireLock)),
    bestEffort: open(new BestEffortDriver(() => openFile(file, 'normal'), acquireLock)),
    location: SQLITE_LOCATION,
  };
}

async function openFile(file: string, synchronous: 'full' | 'normal'): Promise<SqliteDatabase> {
  const explain = createSqliteExplainer(SQLITE_LOCATION);
  let db: DatabaseSync;
  try {
    db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
    await enterWal(db);
    db.exec(`pragma synchronous = ${synchronous}`);
  } catch (error) {
    throw explain(error);
  }
  const explained = <T>(run: () => T): T => {
    try {
      return run();
    } catch (error) {
      throw explain(error);
    }
  };
  // Cache prepared statements, because the store runs a few statements very often, and preparing a statement costs more
  // than running it.
  const prepared = new Map<string, ReturnType<SqliteDatabase['prepare']>>();
  return {
    close: () => db.close(),
    prepare(sql) {
      const known = prepared.get(sql);
      if (known) return known;
      const statement = explained(() => db.prepare(sql));
      const bind = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
      const made: ReturnType<SqliteDatabase['prepare']> = {
        reader: statement.columns().length > 0,
        all: parameters => explained(() => statement.all(...bind(parameters))),
        run: parameters => explained(() => statement.run(...bind(parameters))),
        iterate: parameters => statement.iterate(...bind(parameters)),
      };
      prepared.set(sql, made);
      return made;
    },
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

/**
 * Acquires the lock that a process's two connections share, and returns a function that releases the lock. Without this
 * lock, a count could deadlock with an open transaction in the same process, because SQLite blocks the thread while it
 * waits.
 */
type AcquireLock = () => Promise<() => void>;

function createLock(): AcquireLock {
  let last: Promise<unknown> = Promise.resolve();
  return () => {
    const before = last;
    return new Promise(begin => {
      last = new Promise<void>(end => void before.then(() => begin(end)));
    });
  };
}

class NodeSqliteDialect extends SqliteDialect {
  readonly #driver: SqliteDriver;

  constructor(driver: SqliteDriver) {
    super({ database: () => Promise.reject(new Error('NodeSqliteDialect opens the database through its driver.')) });
    this.#driver = driver;
  }

  override createDriver(): SqliteDriver {
    return this.#driver;
  }

  override createAdapter(): NodeSqliteAdapter {
    return new NodeSqliteAdapter();
  }
}

/**
 * SQLite can roll back `create table`, so Kysely runs all migrations in one transaction. The transaction also prevents
 * other processes from migrating.
 */
class NodeSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  /** The shared lock already prevents concurrent use of a connection, so Kysely doesn't need a separate lock. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** Driver for `durable`. A transaction holds the shared lock until the transaction ends. */
class DurableDriver extends SqliteDriver {
  readonly #acquireLock: AcquireLock;
  #releaseLock: () => void = () => {};

  constructor(open: () => Promise<SqliteDatabase>, acquireLock: AcquireLock) {
    super({ database: open });
    this.#acquireLock = acquireLock;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#releaseLock = await this.#acquireLock();
    return await super.acquireConnection();
  }

  override async releaseConnection(): Promise<void> {
    this.#releaseLock();
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(BEGIN);
  }
}

/** Connection for one `bestEffort` statement, which knows whether the statement only reads. */
class StatementConnection implements DatabaseConnection {
  readonly #shared: DatabaseConnection;
  onlyReads = true;

  constructor(shared: DatabaseConnection) {
    this.#shared = shared;
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    this.onlyReads &&= SelectQueryNode.is(query.query);
    return this.#shared.executeQuery<R>(query);
  }

  streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    return this.#shared.streamQuery<R>(query, chunkSize);
  }
}

/** Batch of `bestEffort` statements that share one transaction. */
class StatementBatch {
  /** Number of statements that haven't run yet. */
  open = 0;
  readonly begun = Promise.withResolvers<void>();
  readonly ran = Promise.withResolvers<void>();
  readonly stored = Promise.withResolvers<void>();
}

/**
 * Driver for `bestEffort`, which runs single statements. Concurrent requests share one transaction, because a
 * transaction with many statements costs little more than a single statement. A statement resolves once the transaction
 * is stored. A failed statement is rolled back without affecting the other statements. If the disk is full or read-only, the
 * statements that only read still succeed.
 */
class BestEffortDriver extends SqliteDriver {
  readonly #acquireLock: AcquireLock;
  #coming: StatementBatch | null = null;
  #running = new StatementBatch();

  constructor(open: () => Promise<SqliteDatabase>, acquireLock: AcquireLock) {
    super({ database: open });
    this.#acquireLock = acquireLock;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    if (!this.#coming) void this.#run((this.#coming = new StatementBatch()));
    this.#coming.open++;
    await this.#coming.begun.promise;
    return new StatementConnection(await super.acquireConnection());
  }

  override async releaseConnection(connection?: DatabaseConnection): Promise<void> {
    const { ran, stored } = this.#running;
    if (--this.#running.open === 0) ran.resolve();
    await stored.promise.catch(error => {
      const isUnaffected = connection instanceof StatementConnection && connection.onlyReads && refusesWrites(error);
      if (!isUnaffected) throw error;
    });
  }

  override beginTransaction(): Promise<void> {
    return Promise.reject(new Error('bestEffort runs only single statements.'));
  }

  async #run(batch: StatementBatch): Promise<void> {
    await untilEventsAreRead();
    const releaseLock = await this.#acquireLock();
    this.#coming = null;
    this.#running = batch;
    const connection = await super.acquireConnection();
    try {
      await connection.executeQuery(BEGIN);
    } catch (error) {
      // Without write access, there is no transaction, so each statement runs on its own, and `commit` fails.
      if (!refusesWrites(error)) {
        batch.begun.reject(error);
        return releaseLock();
      }
    }
    batch.begun.resolve();
    await batch.ran.promise;
    try {
      await connection.executeQuery(COMMIT);
      batch.stored.resolve();
    } catch (error) {
      await connection.executeQuery(ROLLBACK).catch(() => {});
      batch.stored.reject(error);
    }
    releaseLock();
  }
}
