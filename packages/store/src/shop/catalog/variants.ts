import { sql } from 'kysely';
import { toJsonText } from '../../database/json.ts';
import { chunks, padIds } from '../chunks.ts';
import { type Page, type PageQuery, pageRequest } from '../pagination.ts';
import type { ShopDatabase, VariantRow } from '../schema.ts';
import { type ShopScope, stripNul } from '../scope.ts';

/** Catalog variant with its Section 232 status. The caller defines the values of `digits` and `status`. */
export interface NewVariant {
  readonly variantId: string;
  readonly productId: string;
  readonly productTitle: string;
  readonly variantTitle: string;
  readonly sku: string | null;
  /** HTS code as entered, or null. */
  readonly htsCode: string | null;
  /** Country of origin as an ISO 3166-1 alpha-2 code, or null. */
  readonly origin: string | null;
  /** Completeness of the HTS code, such as `missing`, `short`, or `full`. */
  readonly digits: string;
  /** Section 232 status, such as `hit`, `clear`, or `invalid`. */
  readonly status: string;
  /**
   * Full lookup result (any JSON value). Any difference from the stored result counts as a change, so omit values that
   * always change, such as the lookup date.
   */
  readonly answer: unknown;
  /** Version of the data set used for the lookup. */
  readonly listVersion: string;
}

/**
 * Change to a field. For `answer`, both values are null, because lookup results are too large to store with each
 * change.
 */
export interface VariantChange {
  readonly field: 'htsCode' | 'origin' | 'status' | 'answer';
  readonly from: string | null;
  readonly to: string | null;
}

/** Variant as stored. Times are in ms since the Unix epoch. */
export interface Variant extends NewVariant {
  readonly checkedAt: number;
  /** Time of the last change to a field in `changes`, or null if none of these fields ever changed. */
  readonly changedAt: number | null;
  readonly changes: readonly VariantChange[];
}

/** Filter for variants. Omitted fields match all variants. */
export interface VariantFilter {
  readonly status?: string | undefined;
  readonly digits?: string | undefined;
  /** Text to find in a title, SKU, or HTS code, ignoring case. Dots and spaces within a code are ignored. */
  readonly text?: string | undefined;
  readonly productId?: string | undefined;
}

/** Number of variants in total and by field value. Values without variants are omitted. */
export interface VariantCounts {
  readonly total: number;
  readonly products: number;
  readonly byStatus: Readonly<Record<string, number>>;
  readonly byDigits: Readonly<Record<string, number>>;
  /** Number of variants by the data set version used for their lookup. */
  readonly byListVersion: Readonly<Record<string, number>>;
}

/** One shop's variant catalog. */
export interface ShopVariants {
  /**
   * Inserts or updates any number of variants, 1,000 per transaction. `run` identifies the catalog run that this call
   * belongs to, for example by the run's job ID.
   *
   * @throws StoreError with `lease_lost` if called through a job whose lease was lost
   * @example
   * for await (const batch of batches) await job.shop.variants.upsert(job.id, batch);
   * await job.shop.variants.sweep(job.id);
   */
  upsert(run: string, variants: readonly NewVariant[]): Promise<void>;
  /**
   * Deletes the variants that weren't part of a catalog run. Call this function only after the run has covered the
   * whole catalog. Returns the number of deleted variants.
   */
  sweep(run: string): Promise<number>;
  /** Deletes variants that no longer exist in Shopify. Returns the number of deleted variants. */
  remove(which: { readonly productId: string } | { readonly variantIds: readonly string[] }): Promise<number>;
  /** Returns the variant with this ID, or null. */
  get(variantId: string): Promise<Variant | null>;
  /**
   * Lists variants, sorted by title (ignoring case).
   *
   * @throws StoreError with `cursor_invalid`
   */
  list(query: VariantFilter & PageQuery): Promise<Page<Variant>>;
  counts(): Promise<VariantCounts>;
  /**
   * Lists the variants whose lookup result changed with this data set version even though the HTS code and country of
   * origin stayed the same. The list is sorted by title.
   *
   * @throws StoreError with `cursor_invalid`
   */
  changedBy(listVersion: string, query: PageQuery): Promise<Page<Variant>>;
}

/** Maximum number of rows per transaction. Other writes to the shop wait until the transaction ends. */
const BATCH = 1000;

export function createShopVariants({ durable, clock, shop, write }: ShopScope): ShopVariants {
  const select = () => durable.selectFrom('shop_variants').where('shop', '=', shop);

  async function listed(query: PageQuery, filter: (found: Found) => Found): Promise<Page<Variant>> {
    const { limit, after, page } = pageRequest<[string, string]>(query, ['', '']);
    const rows = await filter(select().selectAll())
      .$if(after !== null, found =>
        found.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('sort_key', 'variant_id'), '>', tuple(after?.[0] ?? '', after?.[1] ?? '')),
        ),
      )
      .orderBy('sort_key')
      .orderBy('variant_id')
      .limit(limit)
      .execute();
    return page(rows, ({ sort_key, variant_id }) => [sort_key, variant_id], toVariant);
  }
  type Found = ReturnType<ReturnType<typeof select>['selectAll']>;

  async function countsBy(column: 'status' | 'digits' | 'list_version'): Promise<[string, number][]> {
    const rows = await select()
      .select(eb => [`${column} as word`, eb.fn.countAll<number>().as('count')])
      .groupBy(column)
      .execute();
    return rows.map(({ word, count }) => [word, count]);
  }

  return {
    async upsert(run, variants) {
      for (let from = 0; from < variants.length; from += BATCH) {
        // A statement can't write the same row twice, so keep only the last variant with each ID.
        const batch = new Map(variants.slice(from, from + BATCH).map(variant => [variant.variantId, variant]));
        await write(async trx => {
          const before = await readBefore(trx, shop, [...batch.keys()]);
          const rows = [...batch.values()].map(variant =>
            toRow(shop, run, clock(), variant, before.get(variant.variantId)),
          );
          for (const part of chunks(rows)) await upsertRows(trx, part);
        });
      }
    },

    sweep: run =>
      write(async trx => {
        const query = trx.deleteFrom('shop_variants').where('shop', '=', shop).where('run', '!=', run);
        return Number((await query.executeTakeFirst()).numDeletedRows);
      }),

    remove: which =>
      write(async trx => {
        const query = () => trx.deleteFrom('shop_variants').where('shop', '=', shop);
        const queries =
          'productId' in which
            ? [query().where('product_id', '=', which.productId)]
            : [...chunks(which.variantIds)].map(part => query().where('variant_id', 'in', part));
        let removed = 0;
        for (const each of queries) removed += Number((await each.executeTakeFirst()).numDeletedRows);
        return removed;
      }),

    async get(variantId) {
      const row = await select().selectAll().where('variant_id', '=', variantId).executeTakeFirst();
      return row ? toVariant(row) : null;
    },

    list: ({ status, digits, text, productId, ...query }) =>
      listed(query, found =>
        found
          .$if(status !== undefined, some => some.where('status', '=', status ?? ''))
          .$if(digits !== undefined, some => some.where('digits', '=', digits ?? ''))
          .$if(productId !== undefined, some => some.where('product_id', '=', productId ?? ''))
          .$if(text !== undefined && text.trim() !== '', some =>
            some.where(eb =>
              eb.or(patternsOf(text ?? '').map(pattern => sql<boolean>`search like ${pattern} escape '\\'`)),
            ),
          ),
      ),

    changedBy: (listVersion, query) => listed(query, found => found.where('changed_by', '=', listVersion)),

    async counts() {
      const byStatus = await countsBy('status');
      const { products } = await select()
        .select(eb => eb.fn.count<number>('product_id').distinct().as('products'))
        .executeTakeFirstOrThrow();
      return {
        total: byStatus.reduce((total, [, count]) => total + count, 0),
        products,
        byStatus: Object.fromEntries(byStatus),
        byDigits: Object.fromEntries(await countsBy('digits')),
        byListVersion: Object.fromEntries(await countsBy('list_version')),
      };
    },
  };
}

type Before = Pick<
  VariantRow,
  'variant_id' | 'hts_code' | 'origin' | 'status' | 'answer' | 'list_version' | 'changed_at' | 'changes' | 'changed_by'
>;

async function readBefore(
  trx: ShopDatabase,
  shop: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Before>> {
  const rows = await trx
    .selectFrom('shop_variants')
    .select(['variant_id', 'hts_code', 'origin', 'status', 'answer', 'list_version'])
    .select(['changed_at', 'changes', 'changed_by'])
    .where('shop', '=', shop)
    .where('variant_id', 'in', padIds(ids))
    .execute();
  return new Map(rows.map(row => [row.variant_id, row]));
}

async function upsertRows(trx: ShopDatabase, rows: readonly VariantRow[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const { shop, variant_id, ...rest } = first;
  const columns = Object.keys(rest) as (keyof typeof rest)[];
  await trx
    .insertInto('shop_variants')
    .values(rows)
    .onConflict(conflict =>
      conflict
        .columns(['shop', 'variant_id'])
        .doUpdateSet(({ ref }) => Object.fromEntries(columns.map(column => [column, ref(`excluded.${column}`)]))),
    )
    .execute();
}

function toRow(shop: string, run: string, now: number, variant: NewVariant, before: Before | undefined): VariantRow {
  const product_title = stripNul(variant.productTitle);
  const variant_title = stripNul(variant.variantTitle);
  const sku = variant.sku && stripNul(variant.sku);
  const hts_code = variant.htsCode && stripNul(variant.htsCode);
  const { productId, origin, digits, status, listVersion } = variant;
  const answer = toJsonText(variant.answer);
  const row = {
    ...{ shop, variant_id: variant.variantId, product_id: productId, product_title, variant_title, sku, hts_code },
    ...{ origin, digits, status, list_version: listVersion, checked_at: now, run, answer },
    sort_key: `${product_title} ${variant_title}`.toLowerCase().slice(0, 200),
    search: [product_title, variant_title, sku, hts_code, bare(hts_code ?? '')].join('\n').toLowerCase(),
  };
  const changes = before ? changesBetween(before, row) : [];
  if (changes.length === 0) {
    const { changed_at = null, changes: kept = '[]', changed_by = null } = before ?? {};
    return { ...row, changed_at, changes: kept, changed_by };
  }
  const sameGoods = changes.every(({ field }) => field === 'status' || field === 'answer');
  const byList = sameGoods && before?.list_version !== listVersion;
  return { ...row, changed_at: now, changes: toJsonText(changes), changed_by: byList ? listVersion : null };
}

function changesBetween(before: Before, after: Omit<Before, 'changed_at' | 'changes' | 'changed_by'>): VariantChange[] {
  const changes: VariantChange[] = [
    { field: 'htsCode', from: before.hts_code, to: after.hts_code },
    { field: 'origin', from: before.origin, to: after.origin },
    { field: 'status', from: before.status, to: after.status },
  ];
  const changed = changes.filter(({ from, to }) => from !== to);
  return before.answer === after.answer ? changed : [...changed, { field: 'answer', from: null, to: null }];
}

/** Removes dots and spaces between the digits of a code. */
function bare(code: string): string {
  return code.replace(/[\s.]/g, '');
}

/** Returns the `like` patterns for a search text, with wildcards escaped. */
function patternsOf(text: string): string[] {
  const words = stripNul(text).trim().toLowerCase();
  const codes = /^[\d\s.]+$/.test(words) ? [bare(words)] : [];
  return [...new Set([words, ...codes])].map(part => `%${part.replace(/[\\%_]/g, '\\$&')}%`);
}

function toVariant(row: VariantRow): Variant {
  return {
    variantId: row.variant_id,
    productId: row.product_id,
    productTitle: row.product_title,
    variantTitle: row.variant_title,
    sku: row.sku,
    htsCode: row.hts_code,
    origin: row.origin,
    digits: row.digits,
    status: row.status,
    answer: JSON.parse(row.answer),
    listVersion: row.list_version,
    checkedAt: row.checked_at,
    changedAt: row.changed_at,
    changes: JSON.parse(row.changes),
  };
}
