import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult, SelectQueryNode } from 'kysely';
import type { BestEffortDriver } from './best-effort-driver.ts';
import { createSqliteExplainer, SQLITE_LOCATION } from './failure.ts';
import type { Lock } from './lock.ts';
import { openInThread, type ThreadFile } from './thread.ts';

type Execute = ThreadFile['execute'];

/**
 * Statement that begins a transaction and immediately locks the database for writing. Without this lock, a transaction
 * that reads and then writes would fail if another process wrote in between.
 */
const BEGIN = CompiledQuery.raw('begin immediate');

/**
 * Driver for `durable`. Writes run in the database thread, because every commit waits until the data is synced to disk.
 * Each transaction, and each write outside a transaction, holds the shared lock while it runs. Reads outside a
 * transaction run in this thread, without the lock.
 */
export class DurableDriver implements Driver {
  readonly #path: string;
  readonly #lock: Lock;
  readonly #reader: BestEffortDriver;
  readonly #explain = createSqliteExplainer(SQLITE_LOCATION);
  #opening: Promise<ThreadFile> | null = null;

  constructor(path: string, lock: Lock, reader: BestEffortDriver) {
    this.#path = path;
    this.#lock = lock;
    this.#reader = reader;
  }

  async init(): Promise<void> {
    await this.#file();
  }

  async acquireConnection(): Promise<DurableConnection> {
    const execute: Execute = async (sql, parameters) =>
      await (await this.#file()).execute(sql, parameters).catch(this.#fail);
    return new DurableConnection(this.#lock, execute, (sql, parameters) => this.#reader.read(sql, parameters));
  }

  async beginTransaction(connection: DurableConnection): Promise<void> {
    await connection.executeQuery(BEGIN);
  }

  async commitTransaction(connection: DurableConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(connection: DurableConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  async releaseConnection(connection: DurableConnection): Promise<void> {
    connection.release();
  }

  async destroy(): Promise<void> {
    const opening = this.#opening;
    this.#opening = null;
    await (await opening?.catch(() => null))?.close();
  }

  /**
   * Runs a checkpoint, which moves pages from the write-ahead log to the database file. Most pages are moved while
   * other statements run. SQLite restarts the log only after all pages have been moved, so the remaining pages are
   * moved while this process isn't writing.
   */
  async checkpoint(): Promise<void> {
    const file = await this.#file();
    await file.checkpoint();
    const release = await this.#lock.acquire('durable');
    await file.checkpoint().finally(release);
  }

  #file(): Promise<ThreadFile> {
    this.#opening ??= openInThread(this.#path).catch(this.#fail);
    return this.#opening;
  }

  readonly #fail = (error: unknown): never => {
    throw this.#explain(error);
  };
}

/** A database connection that holds the lock during writes and transactions. */
class DurableConnection implements DatabaseConnection {
  readonly #lock: Lock;
  readonly #execute: Execute;
  readonly #read: Execute;
  #release: (() => void) | undefined;

  constructor(lock: Lock, execute: Execute, read: Execute) {
    this.#lock = lock;
    this.#execute = execute;
    this.#read = read;
  }

  async executeQuery<Row>({ sql, query, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    if (!this.#release && SelectQueryNode.is(query)) return (await this.#read(sql, parameters)) as QueryResult<Row>;
    this.#release ??= await this.#lock.acquire('durable');
    return (await this.#execute(sql, parameters)) as QueryResult<Row>;
  }

  streamQuery(): never {
    throw new Error("The SQLite driver doesn't support streaming.");
  }

  release(): void {
    this.#release?.();
    this.#release = undefined;
  }
}
