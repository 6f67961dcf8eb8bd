import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import { SelectQueryNode } from 'kysely';
import { createStatementQueue, type RunStatement, spanOf, type WaitingStatement } from '../statements.ts';
import { endDatabaseSpan } from '../tracing.ts';
import { createSqliteExplainer, SQLITE_LOCATION } from './failure.ts';
import { openSqliteFile, type SqliteFile } from './file.ts';
import type { Lock } from './lock.ts';

/** Number of writes between checkpoints, which move the write-ahead log's pages to the database file. */
const CHECKPOINT_WRITES = 1_000;

/**
 * Driver for `bestEffort`, which runs single statements. Concurrent requests share one transaction, because a
 * transaction with many statements takes only slightly longer than one with a single statement. A statement resolves
 * once its transaction is committed. A failed statement is rolled back without affecting the other statements. If the
 * disk is full or read-only, read-only statements still succeed.
 */
export class BestEffortDriver implements Driver {
  readonly #path: string;
  readonly #lock: Lock;
  readonly #checkpoint: () => Promise<void>;
  #opening: Promise<SqliteFile> | null = null;
  #file: SqliteFile | null = null;
  #writesSinceCheckpoint = 0;
  #checkpointing: Promise<void> | null = null;
  readonly run: RunStatement;

  constructor(path: string, lock: Lock, checkpoint: () => Promise<void>) {
    this.#path = path;
    this.#lock = lock;
    this.#checkpoint = checkpoint;
    this.run = createStatementQueue(batch => void this.#send(batch));
  }

  async init(): Promise<void> {
    this.#file = await this.#openOnce();
  }

  /** Runs one read-only statement without waiting for other statements. */
  async read(sql: string, parameters: readonly unknown[]): Promise<QueryResult<unknown>> {
    return (this.#file ?? (await this.#openOnce())).execute(sql, parameters);
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return {
      executeQuery: async <R>({ sql, query, parameters }: CompiledQuery) =>
        (await this.run({
          sql,
          onlyReads: SelectQueryNode.is(query),
          bind: () => parameters,
        })) as QueryResult<R>,
      streamQuery: () => {
        throw new Error("bestEffort doesn't support streaming.");
      },
    };
  }

  async releaseConnection(): Promise<void> {}

  beginTransaction(): Promise<void> {
    return Promise.reject(new Error("bestEffort doesn't support transactions."));
  }

  async commitTransaction(): Promise<void> {}

  async rollbackTransaction(): Promise<void> {}

  async destroy(): Promise<void> {
    this.#file?.close();
    this.#file = null;
  }

  async #send(batch: readonly WaitingStatement[]): Promise<void> {
    let file: SqliteFile;
    try {
      file = this.#file ?? (await this.#openOnce());
    } catch (error) {
      for (const statement of batch) refuse(statement, error);
      return;
    }
    const span = spanOf('sqlite', batch);
    const writes = batch.filter(({ onlyReads }) => !onlyReads).length;
    // Without this wait, the log would keep growing if checkpoints were slower than writes.
    if (writes > 0 && this.#writesSinceCheckpoint >= CHECKPOINT_WRITES) await this.#checkpointing;
    const release = writes > 0 ? await this.#lock.acquire('bestEffort') : undefined;
    runBatch(file, batch);
    release?.();
    this.#requestCheckpoint(writes);
    if (span) endDatabaseSpan(span);
  }

  #openOnce(): Promise<SqliteFile> {
    this.#opening ??= openExplained(this.#path);
    return this.#opening;
  }

  /**
   * Counts writes, and requests a checkpoint from the other connection after {@link CHECKPOINT_WRITES} writes, because
   * this connection never syncs the disk. Only one checkpoint runs at a time.
   */
  #requestCheckpoint(writes: number): void {
    this.#writesSinceCheckpoint += writes;
    if (this.#writesSinceCheckpoint < CHECKPOINT_WRITES || this.#checkpointing) return;
    this.#writesSinceCheckpoint = 0;
    // Ignore errors: if the disk is full, the statements fail too, and the next checkpoint might succeed.
    this.#checkpointing = this.#checkpoint()
      .catch(() => {})
      .finally(() => {
        this.#checkpointing = null;
      });
  }
}

/** Opens the file. Converts errors from opening and using the file to store errors. */
async function openExplained(path: string): Promise<SqliteFile> {
  const explain = createSqliteExplainer(SQLITE_LOCATION);
  const file = await openSqliteFile(path, 'normal').catch(error => {
    throw explain(error);
  });
  return {
    ...file,
    execute(sql, parameters) {
      try {
        return file.execute(sql, parameters);
      } catch (error) {
        throw explain(error);
      }
    },
  };
}

function refuse({ bind, reject }: WaitingStatement, error: unknown): void {
  bind();
  reject(error);
}

/**
 * Runs statements in order and without interruption. If several of them write, they share a transaction. Read-only
 * statements succeed even if the transaction can't begin, fails, or can't be committed.
 */
function runBatch(file: SqliteFile, batch: readonly WaitingStatement[]): void {
  if (batch.filter(({ onlyReads }) => !onlyReads).length <= 1) {
    for (const statement of batch) settle(statement, () => file.execute(statement.sql, statement.bind()));
    return;
  }
  /** Error that prevents the transaction from being committed. */
  let failure: { readonly error: unknown } | undefined;
  const attempt = (sql: string, parameters: readonly unknown[]): (() => QueryResult<unknown>) => {
    try {
      const result = file.execute(sql, parameters);
      return () => result;
    } catch (error) {
      // If the disk is full, SQLite ends the transaction and discards the statements that have already run.
      if (!file.isInTransaction()) failure ??= { error };
      return () => {
        throw error;
      };
    }
  };
  attempt('begin immediate', []);
  const outcomes = batch.map(({ sql, onlyReads, bind }) => {
    const parameters = bind();
    return failure && !onlyReads ? null : attempt(sql, parameters);
  });
  if (!failure) {
    try {
      file.execute('commit', []);
    } catch (error) {
      failure = { error };
      if (file.isInTransaction()) file.execute('rollback', []);
    }
  }
  for (const [at, statement] of batch.entries()) {
    if (failure && !statement.onlyReads) statement.reject(failure.error);
    else settle(statement, outcomes[at]!);
  }
}

function settle({ resolve, reject }: WaitingStatement, outcome: () => QueryResult<unknown>): void {
  try {
    resolve(outcome());
  } catch (error) {
    reject(error);
  }
}
