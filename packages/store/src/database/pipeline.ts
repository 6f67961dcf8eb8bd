import { setImmediate as untilEventsAreRead } from 'node:timers/promises';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';

/**
 * Response timeout in milliseconds, after which the client closes the shared connection. The server's statement timeout
 * is shorter.
 */
const LATE_MS = 20_000;

/**
 * Creates a single shared connection with the same interface as a pool, for the single statements that `bestEffort`
 * runs. Sends each statement without waiting for earlier responses, and combines the statements from one event loop
 * turn into a single write. The server commits the statements in order without waiting for the disk. If the connection
 * is lost, the statements in progress fail and the next statement opens a new connection.
 */
export function createPipeline(options: pg.ClientConfig): PostgresPool {
  let shared: { client: pg.Client; ready: Promise<PostgresPoolClient> } | null = null;

  function open(): NonNullable<typeof shared> {
    const client = new pg.Client({ ...options, pipeline: true, keepAlive: true, query_timeout: LATE_MS });
    const opened = { client, ready: start(client) };
    // The close event of a failed connection may arrive after a new connection is already open.
    const forget = () => {
      if (shared === opened) shared = null;
    };
    opened.ready.catch(forget);
    // The caller of the statement receives the error. Without an error listener, Node.js would also terminate the
    // process.
    client.on('error', forget).once('end', forget);
    return opened;
  }

  return {
    options,
    connect: () => (shared ??= open()).ready,
    end: async () => await shared?.client.end(),
  };
}

async function start(client: pg.Client): Promise<PostgresPoolClient> {
  await client.connect();
  await client.query('set synchronous_commit = off');
  return { query: gathered(client) as never, release() {} };
}

function gathered(client: pg.Client) {
  // The store runs a few statements very often, so let the server parse and plan each statement only once.
  const names = new Map<string, string>();
  const { stream } = client.connection;
  return (text: string, values: unknown[]): Promise<pg.QueryResult> => {
    if (stream.writableCorked === 0) {
      stream.cork();
      void untilEventsAreRead().then(() => stream.uncork());
    }
    const name = names.get(text) ?? `s${names.size}`;
    names.set(text, name);
    return client.query({ name, text, values });
  };
}
