import type { Kysely } from 'kysely';

/** Adds HTS code watches, their events, and the data sets that the watches were evaluated against. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('watch_datasets')
    .addColumn('sha256', 'text', column => column.primaryKey())
    .addColumn('body', 'text', column => column.notNull())
    .execute();
  await db.schema
    .createTable('watches')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('family', 'text', column => column.notNull())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('code_count', 'integer', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('dataset_sha256', 'text', column => column.notNull().references('watch_datasets.sha256'))
    .addColumn('dataset_order', 'text', column => column.notNull())
    .addColumn('evaluated_on', 'text', column => column.notNull())
    .addColumn('last_seq', 'integer', column => column.notNull())
    .addColumn('lease', 'text')
    .addColumn('leased_until', 'bigint', column => column.notNull())
    .addColumn('webhook_url', 'text')
    .addColumn('webhook_secrets', 'text')
    .execute();
  await db.schema.createIndex('watches_family').on('watches').columns(['family', 'id']).execute();
  await db.schema
    .createTable('watch_codes')
    .addColumn('watch_id', 'text', column => column.notNull())
    .addColumn('part', 'integer', column => column.notNull())
    .addColumn('body', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('watch_codes_pk', ['watch_id', 'part'])
    .execute();
  await db.schema
    .createTable('watch_events')
    .addColumn('watch_id', 'text', column => column.notNull())
    .addColumn('seq', 'integer', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('body', 'text', column => column.notNull())
    .addColumn('delivery', 'text', column => column.notNull())
    .addColumn('attempts', 'integer', column => column.notNull())
    .addColumn('due_at', 'bigint')
    .addColumn('lease', 'text')
    .addColumn('error', 'text')
    .addPrimaryKeyConstraint('watch_events_pk', ['watch_id', 'seq'])
    .execute();
  await db.schema.createIndex('watch_events_due').on('watch_events').column('due_at').execute();
}
