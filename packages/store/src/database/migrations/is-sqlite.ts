import { type Kysely, SqliteAdapter } from 'kysely';

/** Returns true for SQLite and false for PostgreSQL. */
export const isSqlite = (db: Kysely<never>): boolean => db.getExecutor().adapter instanceof SqliteAdapter;
