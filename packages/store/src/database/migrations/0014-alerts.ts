import { type Kysely, sql } from 'kysely';

/** Adds the alerts that the Shopify app emails to merchants. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('shop_alerts')
    .addColumn('shop', 'text', column => column.notNull())
    .addColumn('key', 'text', column => column.notNull())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('at', 'bigint', column => column.notNull())
    .addColumn('message', 'text')
    .addColumn('ended_at', 'bigint')
    .addColumn('detail', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('shop_alerts_pk', ['shop', 'key'])
    .execute();
  await sql.raw('create index shop_alerts_open on shop_alerts (shop, message) where ended_at is null').execute(db);
}
