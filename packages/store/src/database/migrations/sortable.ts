import { type Kysely, SqliteAdapter, sql } from 'kysely';

/**
 * Returns the type for text columns that are used for sorting. SQLite compares text byte by byte by default. PostgreSQL
 * compares text byte by byte only with a specific collation.
 */
export function sortable(db: Kysely<never>) {
  return db.getExecutor().adapter instanceof SqliteAdapter ? ('text' as const) : sql`text collate "C"`;
}
