import { type QueryExecutorProvider, SqliteAdapter } from 'kysely';

/** Returns true for SQLite and false for PostgreSQL. */
export const isSqlite = (db: QueryExecutorProvider): boolean => db.getExecutor().adapter instanceof SqliteAdapter;
