import { type Kysely, SqliteAdapter } from 'kysely';

/** Returns whether a database is SQLite. Otherwise, it's PostgreSQL. */
export const isSqlite = (db: Kysely<never>): boolean => db.getExecutor().adapter instanceof SqliteAdapter;
