import type { Kysely } from 'kysely';

/** Adds the `code_support` table, which records the oldest release that can use the database. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('code_support')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('oldest', 'text', column => column.notNull())
    .execute();
}
