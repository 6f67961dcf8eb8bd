import { type Kysely, sql } from 'kysely';

/** Released migrations must never change, so they don't use the schema types, which can change. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('waitlist')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('status', 'text', column => column.notNull())
    .addColumn('company', 'text', column => column.notNull())
    .addColumn('use_case', 'text', column => column.notNull())
    .addColumn('expected_volume', 'text', column => column.notNull())
    .addColumn('email', 'text', column => column.notNull())
    .addColumn('founding', 'integer', column => column.notNull())
    .addColumn('asked_at', 'bigint', column => column.notNull())
    .addColumn('decided_at', 'bigint')
    .addColumn('key_id', 'text', column => column.references('keys.id'))
    .execute();
  await db.schema.createIndex('waitlist_status').on('waitlist').column('status').execute();
  await db.schema.createIndex('waitlist_email').on('waitlist').expression(sql`lower(email)`).execute();

  await db.schema
    .createTable('operator_secret')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('hash', 'text', column => column.notNull())
    .addColumn('set_at', 'bigint', column => column.notNull())
    .execute();

  await db.schema
    .createTable('operator_sessions')
    .addColumn('sha256', 'text', column => column.primaryKey())
    .addColumn('secret_sha256', 'text', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('last_used_at', 'bigint', column => column.notNull())
    .execute();

  await db.schema
    .createTable('attempts')
    .addColumn('name', 'text', column => column.primaryKey())
    .addColumn('count', 'integer', column => column.notNull())
    .addColumn('reset_at', 'bigint', column => column.notNull())
    .execute();
  await db.schema.createIndex('attempts_reset_at').on('attempts').column('reset_at').execute();
}
