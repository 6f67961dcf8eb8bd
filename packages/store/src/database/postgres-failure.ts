import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { databaseDamaged, databaseUnavailable, storageFull, storageReadOnly } from '../storage-failure.ts';

/** SQLSTATE codes (PostgreSQL documentation, appendix A): disk full, read-only server, damaged data, missing file. */
const DISK_FULL = '53100';
const READ_ONLY = '25006';
const DAMAGED = ['XX001', 'XX002', '58P01'];

/**
 * SQLSTATE codes and Node.js error codes for a server that is unreachable, restarting, or overloaded: connection
 * exceptions, shutdown, crash, startup, too many connections, statement timeout, and network errors.
 */
const UNAVAILABLE =
  /^(08...|57P0[1-5]|53300|57014|ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;

/** The pg package's error messages for a lost connection. These errors don't have a code. */
const LOST =
  /^(Connection terminated|Client has encountered a connection error|Query read timeout|timeout exceeded|Client was closed)/;

/** Converts server and storage errors to store errors, and returns all other errors unchanged. */
export function explainPostgres(error: unknown, location: string): unknown {
  const { code, message } = error as Error & { code?: unknown };
  if (typeof code !== 'string') return LOST.test(message) ? databaseUnavailable(location, 'connection lost') : error;
  if (code === DISK_FULL) return storageFull(location, code);
  if (code === READ_ONLY) return storageReadOnly(location, code);
  if (DAMAGED.includes(code)) return databaseDamaged(location, code);
  return UNAVAILABLE.test(code) ? databaseUnavailable(location, code) : error;
}

/** Wraps a pool so that its errors and its clients' errors become store errors. */
export function explainPool(pool: PostgresPool, location: string): PostgresPool {
  const explain = (error: unknown) => {
    throw explainPostgres(error, location);
  };
  const known = new WeakMap<PostgresPoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect().catch(explain);
      const explained = known.get(client) ?? {
        ...client,
        query: ((...query: [string, readonly unknown[]]) =>
          client.query(...query).catch(explain)) as PostgresPoolClient['query'],
        release: () => client.release(),
      };
      known.set(client, explained);
      return explained;
    },
    end: () => pool.end(),
  };
}
