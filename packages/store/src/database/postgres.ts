import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import pg from 'pg';
import { StoreError } from '../errors.ts';
import { createPipeline } from './pipeline.ts';
import type { Connections, Schema } from './schema.ts';

const INT8 = 20;

/** Opens a pool on a `postgres://` URL. Nothing is connected before the first query. */
export function connectPostgres(databaseUrl: string): Connections {
  const place = placeOf(databaseUrl);
  const options = {
    connectionString: databaseUrl,
    application_name: 'compliance',
    connectionTimeoutMillis: 5000,
    statement_timeout: 15_000,
    idle_in_transaction_session_timeout: 30_000,
    types: {
      // Our bigints are milliseconds and sums of counts, far below 2^53.
      getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)),
    },
  } satisfies pg.ClientConfig;
  const pool = new pg.Pool({ ...options, max: 10 });
  // A backend that goes away is dropped by the pool, and whoever was using it gets the error. Without listeners, on the
  // idle and on the lent ones, Node would end the process instead.
  pool.on('error', () => {});
  pool.on('connect', client => client.on('error', () => {}));

  const open = (pool: PostgresPool) => new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return { engine: 'postgres', ledger: open(pool), counters: open(createPipeline(options)), place };
}

/**
 * Host and database of a URL, for messages. A password with a raw `@`, `/` or `?` makes parsers see parts of it as host
 * or path, so a URL that could be such a one is not described at all.
 */
function placeOf(databaseUrl: string): string {
  const url = URL.canParse(databaseUrl) ? new URL(databaseUrl) : null;
  if (url?.protocol !== 'postgres:' && url?.protocol !== 'postgresql:') {
    throw new StoreError(
      'config_invalid',
      'The database URL cannot be read. Write postgres://user:password@host:port/database, the password percent-encoded.',
    );
  }
  const credentialsAreWhole = databaseUrl.split('@').length === (url.username ? 2 : 1);
  return credentialsAreWhole ? `PostgreSQL at ${url.host}${url.pathname}` : 'PostgreSQL';
}
