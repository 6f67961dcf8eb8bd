import type { PostgresPool, QueryResult } from 'kysely';
import pg from 'pg';
import { createStatementQueue, type RunStatement, spanOf, type WaitingStatement } from './statements.ts';
import { endDatabaseSpan } from './tracing.ts';

/**
 * Response timeout in milliseconds. After a timeout, the client closes the shared connection. The server's statement
 * timeout is shorter.
 */
const LATE_MS = 20_000;

/**
 * Creates a single shared connection with the same interface as a pool, for the single statements that `bestEffort`
 * runs. Sends each statement without waiting for earlier responses, and combines the statements from one event loop
 * turn into a single write. The server commits the statements in order without waiting for them to be written to disk.
 * If the connection is lost, the statements in progress fail and the next statement opens a new connection, unless the
 * pool has ended.
 */
export function createPipeline(
  options: pg.ClientConfig,
  explain: (error: unknown) => unknown,
): { readonly pool: PostgresPool; readonly run: RunStatement } {
  let shared: { client: pg.Client; ready: Promise<pg.Client> } | null = null;
  let isEnded = false;
  // The store runs a few statements very often, so let the server parse and plan each statement only once.
  const names = new Map<string, string>();

  function open(): NonNullable<typeof shared> {
    const client = new pg.Client({ ...options, pipeline: true, keepAlive: true, query_timeout: LATE_MS });
    const opened = { client, ready: start(client) };
    // A failed connection's close event can arrive after a new connection is already open.
    const forget = () => {
      if (shared === opened) shared = null;
    };
    opened.ready.catch(forget);
    // The statement's caller already receives the error, but Node.js would terminate the process if the client had no
    // error listener.
    client.on('error', forget).once('end', forget);
    return opened;
  }

  function sendOne(
    client: pg.Client,
    { sql: text, bind, resolve, reject }: WaitingStatement,
    onDone: (error?: unknown) => void,
  ): void {
    const name = names.get(text) ?? `s${names.size}`;
    names.set(text, name);
    client.query({ name, text, values: bind() as unknown[] }, (error, result) => {
      if (error) reject(explain(error));
      else resolve(result as QueryResult<unknown>);
      onDone(error ? explain(error) : undefined);
    });
  }

  const run = createStatementQueue(async batch => {
    let client: pg.Client;
    try {
      // A new connection would keep the process alive after the store is closed.
      if (isEnded) throw new Error('The store is closed.');
      shared ??= open();
      client = await shared.ready;
    } catch (error) {
      for (const { bind, reject } of batch) {
        bind();
        reject(explain(error));
      }
      return;
    }
    const span = spanOf('postgresql', batch);
    const { stream } = client.connection;
    stream.cork();
    for (const [at, statement] of batch.entries()) {
      // The server responds in order, so the last response ends the batch.
      const isLast = at === batch.length - 1;
      sendOne(client, statement, error => {
        if (span && isLast) endDatabaseSpan(span, error);
      });
    }
    stream.uncork();
  });

  const query = async (sql: string, values: readonly unknown[]) =>
    await run({ sql, onlyReads: false, bind: () => values });
  return {
    run,
    pool: {
      options,
      connect: async () => ({ query: query as never, release() {} }),
      async end() {
        isEnded = true;
        await shared?.client.end();
      },
    },
  };
}

async function start(client: pg.Client): Promise<pg.Client> {
  await client.connect();
  await client.query('set synchronous_commit = off');
  return client;
}
