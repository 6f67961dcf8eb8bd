import pg from 'pg';
import { POSTGRES_PASSWORD, POSTGRES_USER, type PostgresServer, startPostgresServer } from './postgres-server.ts';

/** A database on this process's PostgreSQL server. */
export interface Postgres {
  /** Database URL: `postgres://user:password@127.0.0.1:port/database`. */
  readonly url: string;
  /** Drops the database, even if it's still in use. */
  stop(): Promise<void>;
}

let server: Promise<PostgresServer> | undefined;
let databases = 0;

/**
 * Creates a database on a real PostgreSQL server. The server binaries are in an npm package, so no system package is
 * needed. The server starts once per process, and stops when the process exits. Use this database only for tests.
 *
 * @param template Database to copy, which must not have open connections. By default, the new database is empty.
 * @throws Error if the server can't be started
 * @example
 * const postgres = await startPostgres();
 * const store = await openStore({ databaseUrl: postgres.url, clock: Date.now });
 * // …
 * await store.close();
 * await postgres.stop();
 */
export async function startPostgres(template?: Postgres): Promise<Postgres> {
  server ??= startPostgresServer();
  const { port } = await server;
  const urlOf = (name: string) => `postgres://${POSTGRES_USER}:${POSTGRES_PASSWORD}@127.0.0.1:${port}/${name}`;
  const administer = (statement: string) => query(urlOf('postgres'), statement);
  const name = `test_${++databases}`;
  await administer(
    `create database ${name}${template ? ` template ${new URL(template.url).pathname.slice(1)} strategy file_copy` : ''}`,
  );
  return {
    url: urlOf(name),
    async stop() {
      await administer(`drop database if exists ${name} with (force)`);
    },
  };
}

/** Runs one statement on a new connection, and returns its rows. */
export async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 30_000, query_timeout: 30_000 });
  try {
    await client.connect();
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
