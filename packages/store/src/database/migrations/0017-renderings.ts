import type { Kysely } from 'kysely';

/** Adds browser renderings of shops' storefronts, and the latest rendering's verdict on each finding. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('shop_renderings')
    .addColumn('shop', 'text', column => column.notNull())
    .addColumn('id', 'text', column => column.notNull())
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('started_at', 'bigint', column => column.notNull())
    .addColumn('finished_at', 'bigint', column => column.notNull())
    .addColumn('score', 'bigint')
    .addColumn('detail', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('shop_renderings_pk', ['shop', 'id'])
    .execute();
  await db.schema.alterTable('shop_findings').addColumn('verdict', 'text').execute();
  await db.schema.alterTable('shop_findings').addColumn('verdict_at', 'bigint').execute();
}
