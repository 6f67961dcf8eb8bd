import { closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Driver, Kysely, SqliteAdapter, SqliteDialect } from 'kysely';
import { fileFailure } from '../../storage-failure.ts';
import type { Connections, DatabaseSchema } from '../schema.ts';
import { setRunner } from '../statements.ts';
import { traceStatements } from '../tracing.ts';
import { BestEffortDriver } from './best-effort-driver.ts';
import { DurableDriver } from './durable-driver.ts';
import { SQLITE_LOCATION } from './failure.ts';
import { lockOf } from './lock.ts';

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

  const lock = lockOf(file);
  const bestEffortDriver: BestEffortDriver = new BestEffortDriver(file, lock, () => durableDriver.checkpoint());
  const durableDriver = new DurableDriver(file, lock, bestEffortDriver);
  const bestEffort = new Kysely<DatabaseSchema>({ dialect: new NodeSqliteDialect(bestEffortDriver) });
  setRunner(bestEffort, bestEffortDriver.run);
  const durable = new Kysely<DatabaseSchema>({
    dialect: new NodeSqliteDialect(durableDriver),
    log: traceStatements('sqlite'),
  });
  return {
    engine: 'sqlite',
    durable,
    bestEffort,
    location: SQLITE_LOCATION,
    async measure() {
      const sizes = [file, `${file}-wal`].map(path => statSync(path, { throwIfNoEntry: false })?.size ?? 0);
      const busy = lock.isFree ? 0 : 1;
      return { bytes: sizes[0]! + sizes[1]!, connections: { busy, idle: 2 - busy, waiting: 0 } };
    },
  };
}

class NodeSqliteDialect extends SqliteDialect {
  readonly #driver: Driver;

  constructor(driver: Driver) {
    super({ database: () => Promise.reject(new Error('NodeSqliteDialect opens the database through its driver.')) });
    this.#driver = driver;
  }

  override createDriver(): Driver {
    return this.#driver;
  }

  override createAdapter(): NodeSqliteAdapter {
    return new NodeSqliteAdapter();
  }
}

/**
 * Kysely adapter for SQLite. SQLite can roll back `create table`, so Kysely runs all migrations in one transaction. The
 * transaction also prevents other processes from migrating.
 */
class NodeSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  /**
   * True, so that Kysely doesn't use a separate lock: the shared lock already prevents concurrent use of a connection.
   */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}
