import type { Kysely } from 'kysely';
import type { Database } from '../database/schema.ts';

/** A table row in a backup. Values are text, numbers, or null. */
export type BackupRow = Record<string, string | number | null>;

/** Database connection without a typed schema, because a backup can contain an earlier release's tables. */
export type AnyDatabase = Kysely<Record<string, BackupRow>>;

export function withoutSchema(db: Database): AnyDatabase {
  return db as unknown as AnyDatabase;
}

/**
 * Service and Shopify app tables in a backup, each with the columns that determine a unique row order. Each table
 * follows the tables that it references. Add every new table to this list or to `NOT_BACKED_UP`.
 */
export const BACKED_UP = {
  keys: ['id'],
  usage_daily: ['key_id', 'day', 'operation'],
  audit: ['id'],
  nomenclatures: ['id'],
  // Sort by issue time, so that a superseded certificate usually comes before its successor.
  certificates: ['created_at', 'id'],
  certificate_words: ['id'],
  idempotency: ['family', 'operation', 'key'],
  waitlist: ['id'],
  watch_datasets: ['sha256'],
  watches: ['id'],
  watch_codes: ['watch_id', 'part'],
  watch_events: ['watch_id', 'seq'],
  webhook_jobs: ['id'],
  shops: ['shop'],
  shop_webhooks: ['shop', 'topic', 'event_id'],
  shop_jobs: ['id'],
  shop_scans: ['shop', 'id'],
  shop_findings: ['shop', 'fingerprint'],
  shop_finding_places: ['shop', 'fingerprint', 'place'],
  shop_renderings: ['shop', 'id'],
  shop_theme_files: ['shop', 'theme_id', 'name'],
  shop_variants: ['shop', 'variant_id'],
  shop_variant_checks: ['shop', 'variant_id'],
  shop_product_certificates: ['shop', 'product_id'],
  shop_certificate_events: ['shop', 'id'],
  shop_alerts: ['shop', 'key'],
  // The files themselves aren't backed up, because they would stay in the backup folder after the shop's data is
  // erased. After a restore, the app asks merchants to attach the files again.
  shop_draft_attachments: ['shop', 'draft_id', 'id'],
  shop_flow_triggers: ['shop', 'key'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/**
 * Tables omitted from backups: counts and sessions that expire anyway, and data that could help an attacker guess or
 * use a secret. After a restore, Shopify issues new tokens for each shop. Bulk job files aren't backed up, so the jobs
 * aren't backed up either. The migrations write `code_support`.
 */
export const NOT_BACKED_UP = [
  'rate_limits',
  'attempts',
  'target_rates',
  'operator_secret',
  'operator_sessions',
  'shop_sessions',
  'bulk_jobs',
  'bulk_parts',
  'code_support',
] as const;

/** Reads a table's rows in key order, one page at a time. */
export async function* rowsOf(db: AnyDatabase, table: keyof typeof BACKED_UP): AsyncGenerator<BackupRow> {
  const key: readonly string[] = BACKED_UP[table];
  // Read HTS exports one row at a time, because each row can be many megabytes.
  const limit = table === 'nomenclatures' ? 1 : 200;
  for (let last: BackupRow | null = null; ; ) {
    let page = db.selectFrom(table).selectAll().limit(limit);
    for (const column of key) page = page.orderBy(column);
    if (last) {
      const after = key.map(column => (last as BackupRow)[column] as string | number);
      page = page.where(({ eb, refTuple, tuple }) => {
        const [first, ...rest] = key as [string, ...string[]];
        if (rest.length === 0) return eb(first, '>', after[0]!);
        return eb(refTuple(...(key as [string, string])), '>', tuple(...(after as [string | number, string | number])));
      });
    }
    const rows: BackupRow[] = await page.execute();
    yield* rows;
    if (rows.length < limit) return;
    last = rows.at(-1)!;
  }
}
