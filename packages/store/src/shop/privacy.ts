import { sql } from 'kysely';
import type { ShopDraftAttachments } from './catalog/draft-attachments.ts';
import type { ShopDatabase, ShopSchema } from './schema.ts';

/** All shop tables, each with its primary key columns (except `shop`) and the columns omitted from an export. */
const TABLES: {
  readonly [Table in keyof ShopSchema]: { readonly key: readonly string[]; readonly withheld?: string[] };
} = {
  shops: { key: [] },
  shop_sessions: { key: ['id'], withheld: ['sealed'] },
  shop_webhooks: { key: ['topic', 'event_id'] },
  shop_jobs: { key: ['id'], withheld: ['lease', 'live_key', 'turn', 'served'] },
  shop_scans: { key: ['id'], withheld: ['seq'] },
  shop_findings: { key: ['fingerprint'], withheld: ['rank'] },
  shop_finding_places: { key: ['fingerprint', 'place'] },
  shop_renderings: { key: ['id'] },
  shop_theme_files: { key: ['theme_id', 'name'] },
  shop_variants: { key: ['variant_id'], withheld: ['sort_key', 'search'] },
  shop_variant_checks: { key: ['variant_id'] },
  shop_product_certificates: { key: ['product_id'] },
  shop_certificate_events: { key: ['id'] },
  shop_alerts: { key: ['key'], withheld: ['message'] },
  shop_draft_attachments: { key: ['draft_id', 'id'] },
  shop_flow_triggers: { key: ['key'], withheld: ['message'] },
};

/** Names of all columns with JSON text, which an export parses. */
const JSON_COLUMNS = new Set(
  'scopes settings payload progress result again theme changes breakdown coverage inventory findings covered detail answer draft'.split(
    ' ',
  ),
);

const PAGE = 200;

/** Deletes all of a shop's rows in the caller's transaction. */
export async function eraseWithin(trx: ShopDatabase, shop: string): Promise<void> {
  for (const table of Object.keys(TABLES)) {
    await sql`delete from ${sql.table(table)} where shop = ${shop}`.execute(trx);
  }
}

/**
 * Yields each of a shop's rows as a line of JSON, without the columns omitted from an export. A draft attachment's row
 * also has the file's `content` in base64, or null if the file can't be read.
 */
export async function* exportLines(
  db: ShopDatabase,
  shop: string,
  attachments: ShopDraftAttachments,
): AsyncGenerator<string> {
  for (const [table, { key, withheld = [] }] of Object.entries(TABLES)) {
    const columns = sql.join(['shop', ...key].map(column => sql.ref(column)));
    let last: readonly unknown[] = [shop];
    for (let isFirst = true, full = true; full; isFirst = false) {
      const rest = isFirst ? sql`shop = ${shop}` : sql`shop = ${shop} and (${columns}) > (${sql.join(last)})`;
      const query = sql<Record<string, unknown>>`
        select * from ${sql.table(table)} where ${rest} order by ${columns} limit ${PAGE}`;
      const { rows } = await query.execute(db);
      for (const row of rows) {
        const file =
          table === 'shop_draft_attachments' &&
          (await attachments.bytes({ draftId: String(row.draft_id), id: String(row.id), sha256: String(row.sha256) }));
        const content = file === false ? {} : { content: file && Buffer.from(file).toString('base64') };
        yield `${JSON.stringify({ table, row: { ...shown(row, withheld), ...content } })}\n`;
      }
      const end = rows.at(-1);
      last = end ? ['shop', ...key].map(column => end[column]) : last;
      full = rows.length === PAGE;
    }
  }
}

function shown(row: Record<string, unknown>, withheld: readonly string[]): Record<string, unknown> {
  const entries = Object.entries(row).filter(([column]) => !withheld.includes(column));
  return Object.fromEntries(
    entries.map(([column, value]) =>
      JSON_COLUMNS.has(column) && typeof value === 'string' ? [column, JSON.parse(value)] : [column, value],
    ),
  );
}
