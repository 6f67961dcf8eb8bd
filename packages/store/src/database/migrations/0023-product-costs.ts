import { type Kysely, sql } from 'kysely';
import { isSqlite } from '../is-sqlite.ts';

/**
 * Adds a product cost to each of the Shopify app's variants, so that lists sorted by estimated duty keep each product's
 * variants together. Replaces the indexes that sort by a single variant's duty, adds the search text to all sort
 * indexes on SQLite, and drops an unused index.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('shop_variants')
    .addColumn('product_cost', 'bigint', type => type.notNull().defaultTo(-1))
    .execute();
  await sql`update shop_variants set product_cost = (
    select min(coalesce(-2 * variant.duty_max, -1)) from shop_variants as variant
    where variant.shop = shop_variants.shop and variant.product_id = shop_variants.product_id
  )`.execute(db);
  for (const name of ['duty', 'cost', 'status_cost', 'digits_cost', 'order', 'version'])
    await db.schema.dropIndex(`shop_variants_${name}`).execute();
  // With the text in the index, SQLite searches a catalog without reading the variants, which are about ten times as
  // large. In PostgreSQL, an index entry can't exceed 2,704 bytes.
  const text = isSqlite(db) ? ['search'] : [];
  const indexes = {
    cost: ['product_cost', 'product_id', 'variant_id', ...text],
    status_cost: ['status', 'product_cost', 'product_id', 'variant_id', ...text],
    digits_cost: ['digits', 'product_cost', 'product_id', 'variant_id', ...text],
    order: ['sort_key', 'variant_id', ...text],
  };
  for (const [name, columns] of Object.entries(indexes))
    await db.schema
      .createIndex(`shop_variants_${name}`)
      .on('shop_variants')
      .columns(['shop', ...columns])
      .execute();
}
