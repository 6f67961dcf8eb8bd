import { type Kysely, sql } from 'kysely';
import { isSqlite } from '../is-sqlite.ts';
import { sortable } from './sortable.ts';

/**
 * Adds a table for the time of each variant's latest check, so that a catalog read doesn't rewrite variants that
 * haven't changed. Until a variant's next check, the time in `shop_variants` applies.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('shop_variant_checks')
    .addColumn('shop', 'text', column => column.notNull())
    .addColumn('variant_id', sortable(db), column => column.notNull())
    .addColumn('checked_at', 'bigint', column => column.notNull())
    .addColumn('run', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('shop_variant_checks_pk', ['shop', 'variant_id'])
    .execute();
  // Leave free space on each page for new row versions, so that an update doesn't change the index.
  if (!isSqlite(db)) await sql`alter table shop_variant_checks set (fillfactor = 50)`.execute(db);
}
