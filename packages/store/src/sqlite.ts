import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
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

/** Opens `<dataDir>/compliance.sqlite`. A folder or file that it makes is readable by its owner alone. */
export function connectSqlite(dataDir: string): Connections {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, 'compliance.sqlite');
  closeSync(openSync(file, 'a', 0o600));

  const takeTurn = createTurns();
  const connect = (synchronous: 'full' | 'normal') =>
    new Kysely<Schema>({ dialect: new NodeSqliteDialect(() => openFile(file, synchronous), takeTurn) });
  return { ledger: connect('full'), counters: connect('normal'), place: 'compliance.sqlite in the data folder' };
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

/** Resolves when it is the caller's turn; the caller ends the turn by calling what it got. */
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
  readonly #open: () => Promise<SqliteDatabase>;
  readonly #takeTurn: TakeTurn;

  constructor(open: () => Promise<SqliteDatabase>, takeTurn: TakeTurn) {
    super({ database: open });
    this.#open = open;
    this.#takeTurn = takeTurn;
  }

  override createDriver(): NodeSqliteDriver {
    return new NodeSqliteDriver(this.#open, this.#takeTurn);
  }

  override createAdapter(): TransactionalDdlAdapter {
    return new TransactionalDdlAdapter();
  }
}

/** SQLite can roll back `create table`; Kysely then migrates in one transaction, which here is the lock between processes. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class NodeSqliteDriver extends SqliteDriver {
  readonly #takeTurn: TakeTurn;
  #endTurn: () => void = () => {};

  constructor(open: () => Promise<SqliteDatabase>, takeTurn: TakeTurn) {
    super({ database: open });
    this.#takeTurn = takeTurn;
  }

  /**
   * The two connections of a process take turns. SQLite waits for a lock by blocking the thread, so a counter that met
   * an open transaction of the ledger would keep that transaction from ever ending.
   */
  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#endTurn = await this.#takeTurn();
    return await super.acquireConnection();
  }

  override async releaseConnection(): Promise<void> {
    this.#endTurn();
  }

  /** Takes the write lock at once: a transaction that reads first and then writes is refused when another wrote between. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}
