import type { Kysely } from 'kysely';

/** Adds the table that records which earlier releases can use the tables. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('code_support')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('oldest', 'text', column => column.notNull())
    .execute();
}
