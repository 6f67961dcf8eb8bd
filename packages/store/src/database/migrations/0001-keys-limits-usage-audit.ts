import type { Kysely } from 'kysely';

/**
 * Creates the tables for keys, rate limits, usage, the audit log, and HTS exports. Released migrations must never
 * change, so they don't use the schema types, which can change.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('keys')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('family', 'text', column => column.notNull())
    .addColumn('sha256', 'text', column => column.notNull().unique())
    .addColumn('prefix', 'text', column => column.notNull())
    .addColumn('last4', 'text', column => column.notNull())
    .addColumn('scope', 'text', column => column.notNull())
    .addColumn('note', 'text', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute();

  await db.schema
    .createTable('rate_limits')
    .addColumn('family', 'text', column => column.primaryKey())
    .addColumn('minute_count', 'integer', column => column.notNull())
    .addColumn('minute_reset_at', 'bigint', column => column.notNull())
    .addColumn('day_count', 'integer', column => column.notNull())
    .addColumn('day_reset_at', 'bigint', column => column.notNull())
    .execute();

  await db.schema
    .createTable('usage_daily')
    .addColumn('key_id', 'text', column => column.notNull().references('keys.id'))
    .addColumn('day', 'text', column => column.notNull())
    .addColumn('operation', 'text', column => column.notNull())
    .addColumn('count', 'integer', column => column.notNull())
    .addColumn('last_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('usage_daily_pk', ['key_id', 'day', 'operation'])
    .execute();
  await db.schema.createIndex('usage_daily_day').on('usage_daily').column('day').execute();

  await db.schema
    .createTable('audit')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('at', 'bigint', column => column.notNull())
    .addColumn('actor', 'text', column => column.notNull())
    .addColumn('action', 'text', column => column.notNull())
    .addColumn('subject', 'text', column => column.notNull())
    .addColumn('before', 'text')
    .addColumn('after', 'text')
    .addColumn('request_id', 'text')
    .execute();

  await db.schema
    .createTable('nomenclatures')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('edition', 'text', column => column.notNull())
    .addColumn('sha256', 'text', column => column.notNull())
    .addColumn('body', 'text', column => column.notNull())
    .addColumn('imported_at', 'bigint', column => column.notNull())
    .execute();
}
