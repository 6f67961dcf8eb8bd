import type { Kysely } from 'kysely';

/** Adds image URLs to the Shopify app's variants. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('shop_variants').addColumn('image_url', 'text').execute();
}
