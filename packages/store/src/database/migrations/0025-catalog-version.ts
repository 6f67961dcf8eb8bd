import { type Kysely, sql } from 'kysely';
import { isSqlite } from '../is-sqlite.ts';

/**
 * Adds a version to each shop's catalog, so that counts can be reused until the catalog changes. In PostgreSQL, also
 * moves lookup results out of the variants' rows, so that a search reads less data. SQLite searches an index instead.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('shops').addColumn('catalog_version', 'text').execute();
  if (!isSqlite(db)) await sql`alter table shop_variants set (toast_tuple_target = 512)`.execute(db);
}
