import type { Span } from '@opentelemetry/api';
import type { QueryResult } from 'kysely';
import type { Database } from './schema.ts';
import { type DatabaseSystem, recordedSpan, startBatchSpan } from './tracing.ts';

/** A compiled statement whose values are bound when it's sent. */
interface Statement {
  readonly sql: string;
  /** Whether the statement is read-only. */
  readonly onlyReads: boolean;
  /**
   * Returns the values. Called exactly once, at least one event loop turn after the statement was queued, even if the
   * statement can't be sent.
   */
  readonly bind: () => readonly unknown[];
}

/** A statement that's waiting to be sent, and its caller. */
export interface WaitingStatement extends Statement {
  /** Span of the statement's request, if the span is recorded. */
  readonly span: Span | undefined;
  resolve(result: QueryResult<unknown>): void;
  reject(error: unknown): void;
}

/** Runs a single statement. Statements from the same event loop turn are sent together. */
export type RunStatement = (statement: Statement) => Promise<QueryResult<unknown>>;

/**
 * Creates a function that collects the statements from one event loop turn, so that concurrent requests share the cost
 * of a transaction or a write to a socket. This path bypasses Kysely's layers, because their overhead would account for
 * most of a small statement's CPU time.
 *
 * @param send receives the collected statements, and settles each of them
 */
export function createStatementQueue(send: (batch: readonly WaitingStatement[]) => void): RunStatement {
  let waiting: WaitingStatement[] = [];
  const flush = () => {
    const batch = waiting;
    waiting = [];
    send(batch);
  };
  return ({ sql, onlyReads, bind }) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ sql, onlyReads, bind, span: recordedSpan(), resolve, reject });
    });
}

/**
 * Starts a span for statements that are sent together, as a child of the first traced request among their callers.
 *
 * @returns undefined if no caller is traced
 */
export function spanOf(system: DatabaseSystem, batch: readonly WaitingStatement[]): Span | undefined {
  const parent = batch.find(({ span }) => span)?.span;
  return (
    parent &&
    startBatchSpan(
      system,
      parent,
      batch.map(({ sql }) => sql),
    )
  );
}

const runners = new WeakMap<Database, RunStatement>();

/** Lets `compileOnce` run a database's statements without Kysely. */
export function setRunner(db: Database, run: RunStatement): void {
  runners.set(db, run);
}

/** Returns the function that runs a database's statements, or undefined if only Kysely can run them. */
export function runnerOf(db: Database): RunStatement | undefined {
  return runners.get(db);
}
