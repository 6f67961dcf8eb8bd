import { setImmediate as untilEventsAreRead } from 'node:timers/promises';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';

/** A connection whose answer is this late is given up, as all wait for it. The server gives a statement up sooner. */
const LATE_MS = 20_000;

/**
 * One connection that all share, in the place of a pool, for the single statements of the counters: each goes to the server
 * at once, without waiting for the answers to those before it, and those of one turn of the event loop go in one write. They
 * are stored one after the other, so none waits for the disk. A connection that is lost costs what is under way on it; the
 * next statement opens another.
 */
export function createPipeline(options: pg.ClientConfig): PostgresPool {
  let shared: { client: pg.Client; ready: Promise<PostgresPoolClient> } | null = null;

  function open(): NonNullable<typeof shared> {
    const client = new pg.Client({ ...options, pipeline: true, keepAlive: true, query_timeout: LATE_MS });
    const opened = { client, ready: start(client) };
    // The end of an old connection comes after its error, when another may be open already.
    const forget = () => {
      if (shared === opened) shared = null;
    };
    opened.ready.catch(forget);
    // Whoever waits for a statement gets the error. Without a listener Node would end the process besides.
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
  // There are few texts and each is asked often; the server reads and plans each once.
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
