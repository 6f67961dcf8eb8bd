import { type Kysely, sql } from 'kysely';
import { isSqlite } from '../is-sqlite.ts';

/**
 * Returns the type for text columns that are used for sorting. SQLite compares text byte by byte by default. PostgreSQL
 * compares text byte by byte only if the column uses a specific collation, such as `C`.
 */
export function sortable(db: Kysely<never>) {
  return isSqlite(db) ? ('text' as const) : sql`text collate "C"`;
}
