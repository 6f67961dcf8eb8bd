import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { setTimeout as pause, setImmediate as untilEventsAreRead } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
} from 'kysely';
import type { Connections, Schema } from './schema.ts';

const BUSY_TIMEOUT_MS = 5000;
const SQLITE_BUSY = 5;

/** Takes the write lock at once: a transaction that reads first and then writes is refused when another wrote between. */
const BEGIN = CompiledQuery.raw('begin immediate');
const COMMIT = CompiledQuery.raw('commit');
const ROLLBACK = CompiledQuery.raw('rollback');

/** Where the tables of a data folder are. */
export function sqliteFile(dataDir: string): string {
  return join(dataDir, 'compliance.sqlite');
}

/** Opens `<dataDir>/compliance.sqlite`. A folder or file that it makes is readable by its owner alone. */
export function connectSqlite(dataDir: string): Connections {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = sqliteFile(dataDir);
  closeSync(openSync(file, 'a', 0o600));

  const takeTurn = createTurns();
  const open = (driver: SqliteDriver) => new Kysely<Schema>({ dialect: new NodeSqliteDialect(driver) });
  return {
    engine: 'sqlite',
    ledger: open(new LedgerDriver(() => openFile(file, 'full'), takeTurn)),
    counters: open(new CountersDriver(() => openFile(file, 'normal'), takeTurn)),
    place: 'compliance.sqlite in the data folder',
  };
}

async function openFile(file: string, synchronous: 'full' | 'normal'): Promise<SqliteDatabase> {
  const db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
  await enterWal(db);
  db.exec(`pragma synchronous = ${synchronous}`);
  // There are few texts and each is asked often; preparing one costs more than running it.
  const prepared = new Map<string, ReturnType<SqliteDatabase['prepare']>>();
  return {
    close: () => db.close(),
    prepare(sql) {
      const known = prepared.get(sql);
      if (known) return known;
      const statement = db.prepare(sql);
      const bind = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
      const made: ReturnType<SqliteDatabase['prepare']> = {
        reader: statement.columns().length > 0,
        all: parameters => statement.all(...bind(parameters)),
        run: parameters => statement.run(...bind(parameters)),
        iterate: parameters => statement.iterate(...bind(parameters)),
      };
      prepared.set(sql, made);
      return made;
    },
  };
}

/** SQLite does not wait for `busy_timeout` here: of several processes that open a fresh file, all but one are refused at once. */
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
 * Resolves when it is the caller's turn; the caller ends the turn by calling what it got. The two connections of a process
 * take turns: SQLite waits for a lock by blocking the thread, so a counter that met an open transaction of the ledger would
 * keep that transaction from ever ending.
 */
type TakeTurn = () => Promise<() => void>;

function createTurns(): TakeTurn {
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
    super({ database: () => Promise.reject(new Error('The driver opens the database.')) });
    this.#driver = driver;
  }

  override createDriver(): SqliteDriver {
    return this.#driver;
  }

  override createAdapter(): NodeSqliteAdapter {
    return new NodeSqliteAdapter();
  }
}

/** SQLite can roll back `create table`; Kysely then migrates in one transaction, which here is the lock between processes. */
class NodeSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  /** Turns keep the users of a connection apart; Kysely need not do so, too. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** For the ledger: a transaction keeps the turn until it ends. */
class LedgerDriver extends SqliteDriver {
  readonly #takeTurn: TakeTurn;
  #endTurn: () => void = () => {};

  constructor(open: () => Promise<SqliteDatabase>, takeTurn: TakeTurn) {
    super({ database: open });
    this.#takeTurn = takeTurn;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#endTurn = await this.#takeTurn();
    return await super.acquireConnection();
  }

  override async releaseConnection(): Promise<void> {
    this.#endTurn();
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(BEGIN);
  }
}

/** Statements of the counters that are stored together. */
class Gathering {
  /** How many of them have not run yet. */
  open = 0;
  readonly begun = Promise.withResolvers<void>();
  readonly ran = Promise.withResolvers<void>();
  readonly stored = Promise.withResolvers<void>();
}

/**
 * For the counters, which take single statements: those of requests that arrive together share one transaction, which costs
 * little more than one of them alone. A statement has its result when the transaction is stored; one that fails takes back
 * itself and no other.
 */
class CountersDriver extends SqliteDriver {
  readonly #takeTurn: TakeTurn;
  #coming: Gathering | null = null;
  #running = new Gathering();

  constructor(open: () => Promise<SqliteDatabase>, takeTurn: TakeTurn) {
    super({ database: open });
    this.#takeTurn = takeTurn;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    if (!this.#coming) void this.#run((this.#coming = new Gathering()));
    this.#coming.open++;
    await this.#coming.begun.promise;
    return await super.acquireConnection();
  }

  override async releaseConnection(): Promise<void> {
    const { ran, stored } = this.#running;
    if (--this.#running.open === 0) ran.resolve();
    await stored.promise;
  }

  override beginTransaction(): Promise<void> {
    return Promise.reject(new Error('The counters take single statements.'));
  }

  async #run(gathering: Gathering): Promise<void> {
    await untilEventsAreRead();
    const endTurn = await this.#takeTurn();
    this.#coming = null;
    this.#running = gathering;
    const connection = await super.acquireConnection();
    try {
      await connection.executeQuery(BEGIN);
    } catch (error) {
      gathering.begun.reject(error);
      return endTurn();
    }
    gathering.begun.resolve();
    await gathering.ran.promise;
    try {
      await connection.executeQuery(COMMIT);
      gathering.stored.resolve();
    } catch (error) {
      await connection.executeQuery(ROLLBACK).catch(() => {});
      gathering.stored.reject(error);
    }
    endTurn();
  }
}
