import type { Kysely } from 'kysely';
import type { Database, Schema } from '../database/schema.ts';

/** What a row is in a backup: columns are text and numbers. */
export type Row = Record<string, string | number | null>;

/** The database without its schema: a backup may hold tables as an earlier release had them. */
export type AnyDatabase = Kysely<Record<string, Row>>;

export function anyTable(db: Database): AnyDatabase {
  return db as unknown as AnyDatabase;
}

/**
 * What a backup holds, those first that others refer to, each with the columns of a unique order. A table that is added to
 * the schema belongs here or below.
 */
export const KEPT = {
  keys: ['id'],
  usage_daily: ['key_id', 'day', 'operation'],
  audit: ['id'],
  nomenclatures: ['id'],
  // In the order of their making, so that few come before the one whose place they took.
  certificates: ['created_at', 'id'],
  certificate_words: ['id'],
  idempotency: ['family', 'operation', 'key'],
  waitlist: ['id'],
  shops: ['shop'],
  shop_webhooks: ['shop', 'topic', 'event_id'],
  shop_jobs: ['id'],
  shop_scans: ['shop', 'id'],
  shop_findings: ['shop', 'fingerprint'],
  shop_finding_places: ['shop', 'fingerprint', 'place'],
  shop_theme_files: ['shop', 'theme_id', 'name'],
  shop_variants: ['shop', 'variant_id'],
  shop_product_certificates: ['shop', 'product_id'],
  shop_certificate_events: ['shop', 'id'],
} as const satisfies Partial<Record<keyof Schema, readonly string[]>>;

/** What it leaves out: counts and sessions that end by themselves, and all that helps to guess or use a secret. Shopify gives a shop's tokens anew. */
export const LEFT_OUT = [
  'rate_limits',
  'attempts',
  'operator_secret',
  'operator_sessions',
  'shop_sessions',
] as const satisfies readonly (keyof Schema)[];

/** The rows of a table in the order of its key, read a page at a time. */
export async function* rowsOf(db: AnyDatabase, table: keyof typeof KEPT): AsyncGenerator<Row> {
  const key: readonly string[] = KEPT[table];
  // An HTS export is one row of many megabytes.
  const limit = table === 'nomenclatures' ? 1 : 200;
  for (let last: Row | null = null; ; ) {
    let page = db.selectFrom(table).selectAll().limit(limit);
    for (const column of key) page = page.orderBy(column);
    if (last) {
      const after = key.map(column => (last as Row)[column] as string | number);
      page = page.where(({ eb, refTuple, tuple }) => {
        const [first, ...rest] = key as [string, ...string[]];
        if (rest.length === 0) return eb(first, '>', after[0]!);
        return eb(refTuple(...(key as [string, string])), '>', tuple(...(after as [string | number, string | number])));
      });
    }
    const rows: Row[] = await page.execute();
    yield* rows;
    if (rows.length < limit) return;
    last = rows.at(-1)!;
  }
}
