import type { Kysely } from 'kysely';

/** Adds a table for the files that are attached to certificate drafts in the Shopify app. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('shop_draft_attachments')
    .addColumn('shop', 'text', column => column.notNull())
    .addColumn('draft_id', 'text', column => column.notNull())
    .addColumn('id', 'text', column => column.notNull())
    .addColumn('product_id', 'text', column => column.notNull())
    .addColumn('filename', 'text', column => column.notNull())
    .addColumn('media_type', 'text', column => column.notNull())
    .addColumn('size', 'bigint', column => column.notNull())
    .addColumn('sha256', 'text', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('shop_draft_attachments_pk', ['shop', 'draft_id', 'id'])
    .execute();
}
