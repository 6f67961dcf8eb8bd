import type { Kysely } from 'kysely';
import { sortable } from './sortable.ts';

/** Released migrations must never change, so they don't use the schema types, which can change. */
export async function up(db: Kysely<never>): Promise<void> {
  await createShops(db);
  await createJobs(db);
  await createScans(db);
  await createCatalog(db);
}

async function createShops(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('shops')
    .addColumn('shop', sortable(db), column => column.primaryKey())
    .addColumn('family', 'text', column => column.notNull().unique())
    .addColumn('installed_at', 'bigint', column => column.notNull())
    .addColumn('uninstalled_at', 'bigint')
    .addColumn('reinstalled_at', 'bigint')
    .addColumn('name', 'text')
    .addColumn('time_zone', 'text')
    .addColumn('primary_host', 'text')
    .addColumn('locale', 'text')
    .addColumn('scopes', 'text', column => column.notNull())
    .addColumn('settings', 'text', column => column.notNull())
    .addColumn('schedule', 'text', column => column.notNull())
    .addColumn('next_scan_at', 'bigint')
    .addColumn('needs_reopening_at', 'bigint')
    .execute();
  await db.schema.createIndex('shops_next_scan').on('shops').column('next_scan_at').execute();

  await db.schema
    .createTable('shop_sessions')
    .addColumn('id', sortable(db), column => column.primaryKey())
    .addColumn('shop', 'text', column => column.notNull())
    .addColumn('sealed', 'text', column => column.notNull())
    .execute();
  await db.schema.createIndex('shop_sessions_shop').on('shop_sessions').columns(['shop', 'id']).execute();

  await db.schema
    .createTable('shop_webhooks')
    .addColumn('shop', 'text', column => column.notNull())
    .addColumn('topic', sortable(db), column => column.notNull())
    .addColumn('event_id', sortable(db), column => column.notNull())
    .addColumn('taken_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('shop_webhooks_pk', ['shop', 'topic', 'event_id'])
    .execute();
  await db.schema.createIndex('shop_webhooks_taken').on('shop_webhooks').column('taken_at').execute();
}

async function createJobs(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('shop_jobs')
    .addColumn('id', sortable(db), column => column.primaryKey())
    .addColumn('shop', 'text', column => column.notNull())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('key', 'text', column => column.notNull())
    .addColumn('live_key', 'text')
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('due_at', 'bigint')
    .addColumn('lease', 'text')
    .addColumn('worker', 'text')
    .addColumn('attempts', 'integer', column => column.notNull())
    .addColumn('max_attempts', 'integer', column => column.notNull())
    .addColumn('run_at', 'bigint', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('started_at', 'bigint')
    .addColumn('finished_at', 'bigint')
    .addColumn('error', 'text')
    .addColumn('payload', 'text', column => column.notNull())
    .addColumn('progress', 'text')
    .addColumn('result', 'text')
    .addColumn('again', 'text')
    // Ended jobs have a null key. Both engines treat nulls as distinct, so the unique constraint doesn't apply to ended
    // jobs.
    .addUniqueConstraint('shop_jobs_one_live', ['shop', 'kind', 'live_key'])
    .execute();
  await db.schema.createIndex('shop_jobs_due').on('shop_jobs').columns(['due_at', 'id']).execute();
  await db.schema.createIndex('shop_jobs_shop').on('shop_jobs').columns(['shop', 'id']).execute();
  await db.schema.createIndex('shop_jobs_kind').on('shop_jobs').columns(['shop', 'kind', 'id']).execute();
}

async function createScans(db: Kysely<never>): Promise<void> {
  // Large columns come last, because SQLite reads a row only up to the last requested column.
  await db.schema
    .createTable('shop_scans')
    .addColumn('shop', 'text', column => column.notNull())
    .addColumn('id', 'text', column => column.notNull())
    .addColumn('seq', sortable(db), column => column.notNull())
    .addColumn('trigger', 'text', column => column.notNull())
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('started_at', 'bigint', column => column.notNull())
    .addColumn('finished_at', 'bigint', column => column.notNull())
    .addColumn('score', 'integer')
    .addColumn('score_version', 'integer', column => column.notNull())
    .addColumn('errors', 'integer', column => column.notNull())
    .addColumn('warns', 'integer', column => column.notNull())
    .addColumn('infos', 'integer', column => column.notNull())
    .addColumn('theme', 'text')
    .addColumn('changes', 'text', column => column.notNull())
    .addColumn('breakdown', 'text', column => column.notNull())
    .addColumn('coverage', 'text', column => column.notNull())
    .addColumn('inventory', 'text', column => column.notNull())
    .addColumn('findings', 'text', column => column.notNull())
    .addColumn('covered', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('shop_scans_pk', ['shop', 'id'])
    .execute();
  await db.schema.createIndex('shop_scans_seq').on('shop_scans').columns(['shop', 'seq']).execute();
  await db.schema.createIndex('shop_scans_state').on('shop_scans').columns(['shop', 'state', 'seq']).execute();

  await db.schema
    .createTable('shop_findings')
    .addColumn('shop', 'text', column => column.notNull())
    .addColumn('fingerprint', sortable(db), column => column.notNull())
    .addColumn('rule_id', sortable(db), column => column.notNull())
    .addColumn('severity', 'text', column => column.notNull())
    .addColumn('rank', 'integer', column => column.notNull())
    .addColumn('status', 'text', column => column.notNull())
    .addColumn('first_seen', 'bigint', column => column.notNull())
    .addColumn('last_seen', 'bigint', column => column.notNull())
    .addColumn('fixed_at', 'bigint')
    .addColumn('regressed_at', 'bigint')
    .addColumn('accepted_at', 'bigint')
    .addColumn('accepted_until', 'bigint')
    .addColumn('accepted_by', 'text')
    .addColumn('accepted_reason', 'text')
    .addColumn('detail', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('shop_findings_pk', ['shop', 'fingerprint'])
    .execute();
  for (const [name, columns] of Object.entries({
    shop_findings_order: ['shop', 'rank', 'rule_id', 'fingerprint'],
    shop_findings_status: ['shop', 'status', 'rank', 'rule_id', 'fingerprint'],
  })) {
    await db.schema.createIndex(name).on('shop_findings').columns(columns).execute();
  }

  await db.schema
    .createTable('shop_finding_places')
    .addColumn('shop', 'text', column => column.notNull())
    .addColumn('fingerprint', sortable(db), column => column.notNull())
    .addColumn('place', sortable(db), column => column.notNull())
    .addPrimaryKeyConstraint('shop_finding_places_pk', ['shop', 'fingerprint', 'place'])
    .execute();
  await db.schema
    .createIndex('shop_finding_places_place')
    .on('shop_finding_places')
    .columns(['shop', 'place', 'fingerprint'])
    .execute();

  await db.schema
    .createTable('shop_theme_files')
    .addColumn('shop', 'text', column => column.notNull())
    .addColumn('theme_id', sortable(db), column => column.notNull())
    .addColumn('name', sortable(db), column => column.notNull())
    .addColumn('checksum', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('shop_theme_files_pk', ['shop', 'theme_id', 'name'])
    .execute();
}

async function createCatalog(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('shop_variants')
    .addColumn('shop', 'text', column => column.notNull())
    .addColumn('variant_id', sortable(db), column => column.notNull())
    .addColumn('product_id', sortable(db), column => column.notNull())
    .addColumn('product_title', 'text', column => column.notNull())
    .addColumn('variant_title', 'text', column => column.notNull())
    .addColumn('sku', 'text')
    .addColumn('hts_code', 'text')
    .addColumn('origin', 'text')
    .addColumn('digits', 'text', column => column.notNull())
    .addColumn('status', 'text', column => column.notNull())
    .addColumn('list_version', 'text', column => column.notNull())
    .addColumn('checked_at', 'bigint', column => column.notNull())
    .addColumn('changed_at', 'bigint')
    .addColumn('changes', 'text', column => column.notNull())
    .addColumn('changed_by', 'text')
    .addColumn('run', 'text', column => column.notNull())
    .addColumn('sort_key', sortable(db), column => column.notNull())
    .addColumn('search', 'text', column => column.notNull())
    .addColumn('answer', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('shop_variants_pk', ['shop', 'variant_id'])
    .execute();
  for (const [name, columns] of Object.entries({
    shop_variants_order: ['shop', 'sort_key', 'variant_id'],
    shop_variants_status: ['shop', 'status', 'sort_key', 'variant_id'],
    shop_variants_digits: ['shop', 'digits', 'sort_key', 'variant_id'],
    shop_variants_changed: ['shop', 'changed_by', 'sort_key', 'variant_id'],
    shop_variants_product: ['shop', 'product_id', 'sort_key', 'variant_id'],
    shop_variants_version: ['shop', 'list_version'],
  })) {
    await db.schema.createIndex(name).on('shop_variants').columns(columns).execute();
  }

  await db.schema
    .createTable('shop_product_certificates')
    .addColumn('shop', 'text', column => column.notNull())
    .addColumn('product_id', sortable(db), column => column.notNull())
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('gcc_id', 'text')
    .addColumn('updated_at', 'bigint', column => column.notNull())
    .addColumn('draft', 'text')
    .addPrimaryKeyConstraint('shop_product_certificates_pk', ['shop', 'product_id'])
    .execute();
  await db.schema
    .createIndex('shop_product_certificates_state')
    .on('shop_product_certificates')
    .columns(['shop', 'state', 'product_id'])
    .execute();

  await db.schema
    .createTable('shop_certificate_events')
    .addColumn('shop', 'text', column => column.notNull())
    .addColumn('id', sortable(db), column => column.notNull())
    .addColumn('product_id', 'text', column => column.notNull())
    .addColumn('event', 'text', column => column.notNull())
    .addColumn('gcc_id', 'text', column => column.notNull())
    .addColumn('supersedes', 'text')
    .addColumn('reason', 'text')
    .addColumn('by', 'text', column => column.notNull())
    .addColumn('at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('shop_certificate_events_pk', ['shop', 'id'])
    .execute();
  await db.schema
    .createIndex('shop_certificate_events_product')
    .on('shop_certificate_events')
    .columns(['shop', 'product_id', 'id'])
    .execute();
}
