import { sql } from 'kysely';
import type { Database } from '../../database/schema.ts';
import { padded, slices } from '../batches.ts';
import { type Page, type PageQuery, pageRequest } from '../page.ts';
import type { VariantRow } from '../schema.ts';
import { plain, type Scope, toJson } from '../scope.ts';

/** A variant of the catalog with the answer of the tariff lists for it. Words of `digits` and `status` are the caller's. */
export interface NewVariant {
  readonly variantId: string;
  readonly productId: string;
  readonly productTitle: string;
  readonly variantTitle: string;
  readonly sku: string | null;
  /** The HTS code as it was entered, or null. */
  readonly htsCode: string | null;
  /** ISO alpha-2, or null. */
  readonly origin: string | null;
  /** Whether the code has the digits that an answer needs, such as `missing`, `short`, `full`. */
  readonly digits: string;
  /** The answer in a word, such as `hit`, `clear`, `invalid`. */
  readonly status: string;
  /**
   * The answer itself, any JSON value. What is different in it counts as a change, so leave out what changes by itself, such
   * as the date of asking.
   */
  readonly answer: unknown;
  /** The version of the lists that it was answered under. */
  readonly listVersion: string;
}

/** What became different, by a field's name; `answer` has neither value, it is too large. */
export interface VariantChange {
  readonly field: 'htsCode' | 'origin' | 'status' | 'answer';
  readonly from: string | null;
  readonly to: string | null;
}

/** A variant as it is kept. Times are ms since epoch. */
export interface Variant extends NewVariant {
  readonly checkedAt: number;
  /** When one of the fields of `changes` last became different; null when none ever did. */
  readonly changedAt: number | null;
  readonly changes: readonly VariantChange[];
}

/** Which variants; what is left out does not matter. */
export interface VariantFilter {
  readonly status?: string | undefined;
  readonly digits?: string | undefined;
  /** Stands in titles, SKU or code, letter case aside. Dots and spaces within a code do not matter. */
  readonly text?: string | undefined;
  readonly productId?: string | undefined;
}

/** How many variants there are, and of each word; words that none has are left out. */
export interface VariantCounts {
  readonly total: number;
  readonly products: number;
  readonly byStatus: Readonly<Record<string, number>>;
  readonly byDigits: Readonly<Record<string, number>>;
  /** How many were answered under each version of the lists. */
  readonly byListVersion: Readonly<Record<string, number>>;
}

/** The catalog of one shop. */
export interface OwnVariants {
  /**
   * Keeps variants as part of a run, any number; every thousand is a transaction of its own. `run` names the run, such as
   * the id of its job.
   *
   * @throws StoreError `lease_lost` behind a fence
   * @example
   * for await (const batch of batches) await job.shop.variants.upsert(job.id, batch);
   * await job.shop.variants.sweep(job.id);
   */
  upsert(run: string, variants: readonly NewVariant[]): Promise<void>;
  /** Removes the variants that a full run did not see. Call it only when the run has seen the whole catalog. Gives how many. */
  sweep(run: string): Promise<number>;
  /** Removes variants that Shopify says are gone. Gives how many. */
  remove(which: { readonly productId: string } | { readonly variantIds: readonly string[] }): Promise<number>;
  /** The variant with this id, or null. */
  get(variantId: string): Promise<Variant | null>;
  /** By titles, letter case aside. @throws StoreError `cursor_invalid` */
  list(query: VariantFilter & PageQuery): Promise<Page<Variant>>;
  counts(): Promise<VariantCounts>;
  /**
   * Variants whose answer became another one under this version of the lists, code and origin being the same. By titles.
   *
   * @throws StoreError `cursor_invalid`
   */
  changedBy(listVersion: string, query: PageQuery): Promise<Page<Variant>>;
}

/** Rows in one transaction: others wait for it. */
const BATCH = 1000;

export function createOwnVariants({ ledger, clock, shop, write }: Scope): OwnVariants {
  const select = () => ledger.selectFrom('shop_variants').where('shop', '=', shop);

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
        // The last of those with one id counts; a statement cannot write a row twice.
        const batch = new Map(variants.slice(from, from + BATCH).map(variant => [variant.variantId, variant]));
        await write(async trx => {
          const before = await readBefore(trx, shop, [...batch.keys()]);
          const rows = [...batch.values()].map(variant =>
            toRow(shop, run, clock(), variant, before.get(variant.variantId)),
          );
          for (const part of slices(rows)) await upsertRows(trx, part);
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
            : [...slices(which.variantIds)].map(part => query().where('variant_id', 'in', part));
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

async function readBefore(trx: Database, shop: string, ids: readonly string[]): Promise<ReadonlyMap<string, Before>> {
  const rows = await trx
    .selectFrom('shop_variants')
    .select(['variant_id', 'hts_code', 'origin', 'status', 'answer', 'list_version'])
    .select(['changed_at', 'changes', 'changed_by'])
    .where('shop', '=', shop)
    .where('variant_id', 'in', padded(ids))
    .execute();
  return new Map(rows.map(row => [row.variant_id, row]));
}

async function upsertRows(trx: Database, rows: readonly VariantRow[]): Promise<void> {
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
  const product_title = plain(variant.productTitle);
  const variant_title = plain(variant.variantTitle);
  const sku = variant.sku && plain(variant.sku);
  const hts_code = variant.htsCode && plain(variant.htsCode);
  const { productId, origin, digits, status, listVersion } = variant;
  const answer = toJson(variant.answer);
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
  return { ...row, changed_at: now, changes: toJson(changes), changed_by: byList ? listVersion : null };
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

/** A code without what people write between its digits. */
function bare(code: string): string {
  return code.replace(/[\s.]/g, '');
}

/** What `search` must be like. Signs that mean something to `like` are letters here. */
function patternsOf(text: string): string[] {
  const words = plain(text).trim().toLowerCase();
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
