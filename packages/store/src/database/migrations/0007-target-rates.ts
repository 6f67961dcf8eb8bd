import type { Kysely } from 'kysely';

/** Adds the table that counts recent requests to each scanned site. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('target_rates')
    .addColumn('target', 'text', column => column.primaryKey())
    .addColumn('slot', 'bigint', column => column.notNull())
    .addColumn('recent', 'bigint', column => column.notNull())
    .execute();
  await db.schema.createIndex('target_rates_slot').on('target_rates').column('slot').execute();
}
