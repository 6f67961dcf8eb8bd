import { type Kysely, sql } from 'kysely';

/** Adds the events that the Shopify app sends to Shopify Flow. The columns are the same as in `shop_alerts`. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('shop_flow_triggers')
    .addColumn('shop', 'text', column => column.notNull())
    .addColumn('key', 'text', column => column.notNull())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('at', 'bigint', column => column.notNull())
    .addColumn('message', 'text')
    .addColumn('ended_at', 'bigint')
    .addColumn('detail', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('shop_flow_triggers_pk', ['shop', 'key'])
    .execute();
  await sql
    .raw('create index shop_flow_triggers_open on shop_flow_triggers (shop, message) where ended_at is null')
    .execute(db);
}
