import { type Kysely, sql } from 'kysely';

/** Adds prices and estimated duties to the Shopify app's variants, and an index for grouping variants by code. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('shop_variants').addColumn('price', 'text').execute();
  await db.schema.alterTable('shop_variants').addColumn('duty_min', 'bigint').execute();
  await db.schema.alterTable('shop_variants').addColumn('duty_max', 'bigint').execute();
  await db.schema
    .createIndex('shop_variants_code')
    .on('shop_variants')
    .columns(['shop', 'digits', 'hts_code', 'product_id', 'variant_id'])
    .execute();
  await sql
    .raw('create index shop_variants_duty on shop_variants (shop, duty_max desc, variant_id) where duty_max > 0')
    .execute(db);
}
