import { type Kysely, sql } from 'kysely';
import { sortable } from './sortable.ts';

/**
 * Adds product types to the Shopify app's variants, and an index for summarizing a catalog. Adds the latest check
 * result and a title sort key to the app's product certificates.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('shop_variants').addColumn('product_type', 'text').execute();
  await db.schema
    .createIndex('shop_variants_summary')
    .on('shop_variants')
    .columns(['shop', 'status', 'digits', 'list_version', 'duty_min', 'duty_max'])
    .execute();
  const table = 'shop_product_certificates';
  await db.schema.alterTable(table).addColumn('gcc_status', 'text').execute();
  await db.schema.alterTable(table).addColumn('retest_due', 'text').execute();
  await db.schema
    .alterTable(table)
    .addColumn('sort_key', sortable(db), column => column.notNull().defaultTo(''))
    .execute();
  await db.schema
    .createIndex(`${table}_order`)
    .on(table)
    .columns(['shop', 'state', 'sort_key', 'product_id'])
    .execute();
  await sql`update shop_product_certificates set sort_key = coalesce((
    select min(variant.sort_key) from shop_variants as variant
    where variant.shop = shop_product_certificates.shop and variant.product_id = shop_product_certificates.product_id
  ), '')`.execute(db);
}
