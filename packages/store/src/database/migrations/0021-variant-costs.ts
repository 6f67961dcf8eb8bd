import { type Kysely, sql } from 'kysely';

/**
 * Adds indexes for listing the Shopify app's variants by their estimated duty, including variants whose duty is
 * unknown.
 */
export async function up(db: Kysely<never>): Promise<void> {
  for (const [name, columns] of [
    ['cost', ''],
    ['status_cost', 'status, '],
    ['digits_cost', 'digits, '],
  ])
    await sql
      .raw(
        `create index shop_variants_${name} on shop_variants (shop, ${columns}(coalesce(-2 * duty_max, -1)), variant_id)`,
      )
      .execute(db);
}
