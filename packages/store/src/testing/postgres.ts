import pg from 'pg';
import { POSTGRES_PASSWORD, POSTGRES_USER, type PostgresServer, startPostgresServer } from './postgres-server.ts';

/** An empty database on this process's PostgreSQL server. */
export interface Postgres {
  /** Database URL: `postgres://user:password@127.0.0.1:port/database`. */
  readonly url: string;
  /** Releases the database. Releasing the last database stops the server. */
  stop(): Promise<void>;
}

let server: Promise<PostgresServer> | null = null;
let databases = 0;
let inUse = 0;

/**
 * Creates a database on a real PostgreSQL server. The server binaries are in an npm package, so no system package is
 * needed. The server starts once per process. Use this database only for tests.
 *
 * @throws Error if the server can't be started
 * @example
 * const postgres = await startPostgres();
 * const store = await openStore({ databaseUrl: postgres.url, clock: Date.now });
 * // …
 * await store.close();
 * await postgres.stop();
 */
export async function startPostgres(): Promise<Postgres> {
  inUse++;
  try {
    server ??= startPostgresServer();
    const { port } = await server;
    const name = `test_${++databases}`;
    await createDatabase(port, name);
    return { url: urlOf(port, name), stop: release };
  } catch (error) {
    await release().catch(() => {});
    throw error;
  }
}

const urlOf = (port: number, database: string) =>
  `postgres://${POSTGRES_USER}:${POSTGRES_PASSWORD}@127.0.0.1:${port}/${database}`;

async function createDatabase(port: number, name: string): Promise<void> {
  const client = new pg.Client({
    connectionString: urlOf(port, 'postgres'),
    connectionTimeoutMillis: 30_000,
    query_timeout: 30_000,
  });
  try {
    await client.connect();
    await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
}

async function release(): Promise<void> {
  if (--inUse > 0 || !server) return;
  const stopping = server;
  server = null;
  await (await stopping).stop();
}
