import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { StoreError } from '../errors.ts';
import { createPipeline } from './pipeline.ts';
import { explainPool, explainPostgres } from './postgres-failure.ts';
import type { Connections, DatabaseSchema } from './schema.ts';
import { setRunner } from './statements.ts';
import { traceStatements } from './tracing.ts';

const INT8 = 20;

/** Creates a connection pool and a pipeline for a `postgres://` URL. Neither connects until the first query. */
export function connectPostgres(databaseUrl: string): Connections {
  const location = describeDatabaseUrl(databaseUrl);
  const options = {
    connectionString: databaseUrl,
    application_name: 'compliance',
    connectionTimeoutMillis: 5000,
    statement_timeout: 15_000,
    idle_in_transaction_session_timeout: 30_000,
    types: {
      // All bigint values, such as times in milliseconds and counts, are safe integers (below 2^53).
      getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)),
    },
  } satisfies pg.ClientConfig;
  const pool = new pg.Pool({ ...options, max: 10 });
  // The pool removes a lost connection and reports the error to the caller. Without error listeners on idle and busy
  // connections, Node.js would terminate the process.
  pool.on('error', () => {});
  pool.on('connect', client => client.on('error', () => {}));

  const pipeline = createPipeline(options, error => explainPostgres(error, location));
  const bestEffort = new Kysely<DatabaseSchema>({ dialect: new PostgresDialect({ pool: pipeline.pool }) });
  setRunner(bestEffort, pipeline.run);
  const durable = new Kysely<DatabaseSchema>({
    dialect: new PostgresDialect({ pool: explainPool(pool, location) }),
    log: traceStatements('postgresql'),
  });
  return {
    engine: 'postgres',
    durable,
    bestEffort,
    location,
    async measure() {
      const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(
        durable,
      );
      const { totalCount, idleCount, waitingCount } = pool;
      // Count the pipeline's connection as busy, because it's always in use.
      const connections = { busy: totalCount - idleCount + 1, idle: idleCount, waiting: waitingCount };
      return { bytes: rows[0]!.bytes, connections };
    },
  };
}

/**
 * Returns the host and database name from the URL for error messages. Parsers treat an unescaped `@`, `/`, or `?` in
 * the password as the start of the host or path, so the result omits the host and database for such URLs.
 */
export function describeDatabaseUrl(databaseUrl: string): string {
  const url = URL.canParse(databaseUrl) ? new URL(databaseUrl) : null;
  if (url?.protocol !== 'postgres:' && url?.protocol !== 'postgresql:') {
    throw new StoreError(
      'config_invalid',
      'The database URL is invalid. Use postgres://user:password@host:port/database with a percent-encoded password.',
    );
  }
  const credentialsAreWhole = databaseUrl.split('@').length === (url.username ? 2 : 1);
  return credentialsAreWhole ? `PostgreSQL at ${url.host}${url.pathname}` : 'PostgreSQL';
}
