import { type DeleteQueryBuilder, type DeleteResult, type SelectQueryBuilder, sql } from 'kysely';
import { chunks, padIds } from '../../database/chunks.ts';
import { toJsonText } from '../../database/json.ts';
import { changeCatalogVersion } from '../catalog-counts.ts';
import { type ListPosition, type Page, type PageQuery, pageRequest } from '../pagination.ts';
import type { ShopDatabase, ShopSchema, VariantRow } from '../schema.ts';
import { type ShopScope, stripNul } from '../scope.ts';

/** Catalog variant with its Section 232 status. The caller defines the values of `digits` and `status`. */
export interface NewVariant {
  readonly variantId: string;
  readonly productId: string;
  readonly productTitle: string;
  readonly variantTitle: string;
  /** Product type in the merchant's words, or null if unknown. A change to the type isn't recorded. */
  readonly productType?: string | null | undefined;
  /** URL of a small product image, or null. A change to the URL isn't recorded. */
  readonly imageUrl?: string | null | undefined;
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
  /** Selling price as a decimal number, or null if unknown. A change to the price isn't recorded. */
  readonly price?: string | null | undefined;
  /** Estimated duty per unit in hundredths of the shop's currency, or null if unknown. */
  readonly duty?: { readonly min: number; readonly max: number } | null | undefined;
}

/**
 * Change to a field. Lookup results are too large to store with each change, so the values for `answer` are summaries
 * from the caller, or null if there is no summary. Changes stored by earlier releases don't have summaries.
 */
export interface VariantChange {
  readonly field: 'htsCode' | 'origin' | 'status' | 'answer';
  readonly from: string | null;
  readonly to: string | null;
}

/** Variant as stored. Times are in milliseconds since the Unix epoch. */
export interface Variant extends NewVariant {
  readonly checkedAt: number;
  /** Time of the last change to a field in `changes`, or null if none of these fields has ever changed. */
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
  /** HTS code exactly as entered. */
  readonly htsCode?: string | undefined;
  /**
   * Version of the data set that caused a lookup result to change even though the HTS code and country of origin stayed
   * the same.
   */
  readonly changedBy?: string | undefined;
}

/**
 * Sort order of a variant list. `title` ignores case and orders numbers by value. `duty` starts with the product that
 * has the highest possible duty, and lists each product's variants together. Products with a known nonzero duty are
 * followed by products with a variant whose duty is unknown, and then by products whose duty is zero.
 */
export interface VariantOrder {
  /** Defaults to `title`. */
  readonly sort?: 'title' | 'duty' | undefined;
}

/** IDs of the variants before and after a variant in a list. An ID is null at the start or end of the list. */
export interface VariantNeighbors {
  readonly previous: string | null;
  readonly next: string | null;
}

/** Number of variants in total and by field value. Values without variants are omitted. */
export interface VariantCounts {
  readonly total: number;
  readonly products: number;
  readonly byStatus: Readonly<Record<string, number>>;
  /**
   * Total estimated duty on one unit of each variant, by status, in hundredths of the shop's currency. `unknown` is the
   * number of variants whose duty is unknown and therefore not included.
   */
  readonly dutyByStatus: Readonly<
    Record<string, { readonly min: number; readonly max: number; readonly unknown: number }>
  >;
  readonly byDigits: Readonly<Record<string, number>>;
  /** Number of variants by the data set version used for their lookup. */
  readonly byListVersion: Readonly<Record<string, number>>;
}

/** Variants that share a code, or one product's variants that don't have a code. */
export interface VariantGroup {
  /** HTS code as entered, or null if the variants don't have a code. */
  readonly htsCode: string | null;
  /** Product whose variants don't have a code, or null if the variants share a code. */
  readonly productId: string | null;
  /** ID of one of the variants. */
  readonly variantId: string;
  readonly variants: number;
  readonly products: number;
}

/** Options for {@link ShopVariants.upsert}. */
interface UpsertOptions {
  readonly summarize?: (answer: unknown) => string | null;
}

/** One shop's variant catalog. */
export interface ShopVariants {
  /**
   * Inserts or updates any number of variants, 1,000 per transaction. `run` identifies the catalog run that this call
   * belongs to, for example by the run's job ID.
   *
   * @param options `summarize` returns a short summary of a lookup result, to store with a change; null by default
   * @throws StoreError with `lease_lost` if called through a job whose lease was lost
   * @example
   * for await (const batch of batches) await job.shop.variants.upsert(job.id, batch);
   * await job.shop.variants.sweep(job.id);
   */
  upsert(run: string, variants: readonly NewVariant[], options?: UpsertOptions): Promise<void>;
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
   * Lists variants, by default sorted by title.
   *
   * @throws StoreError with `cursor_invalid`
   * @example await shop.variants.list({ status: 'hit', sort: 'duty', limit: 25 });
   */
  list(query: VariantFilter & VariantOrder & PageQuery): Promise<Page<Variant>>;
  /**
   * Returns the variants that precede and follow a variant in a list's order, even if the list doesn't contain the
   * variant. Both IDs are null if the variant doesn't exist.
   *
   * @example await shop.variants.neighbors(variantId, { status: 'hit', sort: 'duty' });
   */
  neighbors(variantId: string, query: VariantFilter & VariantOrder): Promise<VariantNeighbors>;
  counts(): Promise<VariantCounts>;
  /** Returns the number of variants by the completeness of their codes. Faster than `counts`. */
  countsByDigits(): Promise<VariantCounts['byDigits']>;
  /**
   * Groups the variants whose codes have the given completeness (`digits`), so that the merchant can change a whole
   * group's code. Variants that have a code are grouped by code, and other variants are grouped by product. The list
   * starts with the largest group.
   *
   * @throws StoreError with `cursor_invalid`
   */
  groups(query: { readonly digits: string } & PageQuery): Promise<Page<VariantGroup>>;
}

/** Expression that identifies a group: the code or, for variants without a code, the product. */
const GROUP_KEY = sql<string>`coalesce(hts_code, case when hts_code is null then product_id end)`;

/** A column that determines a variant's position in a list. */
type SortColumn = 'sort_key' | 'product_cost' | 'product_id' | 'variant_id';

const SORT_COLUMNS: Readonly<Record<'title' | 'duty', readonly SortColumn[]>> = {
  title: ['sort_key', 'variant_id'],
  duty: ['product_cost', 'product_id', 'variant_id'],
};

const LAST_CHECK = sql<number | null>`(
  select recorded.checked_at from shop_variant_checks as recorded
  where recorded.shop = shop_variants.shop and recorded.variant_id = shop_variants.variant_id
)`.as('last_check');

/** Maximum number of rows per transaction. Other writes to the shop wait until the transaction ends. */
const BATCH = 1000;

export function createShopVariants(scope: ShopScope): ShopVariants {
  const { durable, clock, shop, catalogCounts } = scope;
  const select = () => durable.selectFrom('shop_variants').where('shop', '=', shop);

  const matching = ({ status, digits, text, productId, htsCode, changedBy }: VariantFilter) =>
    select()
      .$if(status !== undefined, some => some.where('status', '=', status ?? ''))
      .$if(digits !== undefined, some => some.where('digits', '=', digits ?? ''))
      .$if(productId !== undefined, some => some.where('product_id', '=', productId ?? ''))
      .$if(htsCode !== undefined, some => some.where('hts_code', '=', htsCode ?? ''))
      .$if(changedBy !== undefined, some => some.where('changed_by', '=', changedBy ?? ''))
      .$if(text !== undefined && text.trim() !== '', some =>
        some.where(eb =>
          eb.or(patternsOf(text ?? '').map(pattern => sql<boolean>`search like ${pattern} escape '\\'`)),
        ),
      );

  const rowsOf = (trx: ShopDatabase) => trx.deleteFrom('shop_variants').where('shop', '=', shop);

  async function list(query: VariantFilter & VariantOrder & PageQuery): Promise<Page<Variant>> {
    const columns = SORT_COLUMNS[query.sort ?? 'title'];
    const example = columns.map(column => (column === 'product_cost' ? 0 : ''));
    const { limit, after, page } = pageRequest<ListPosition>(query, example);
    const rows = await inOrder(matching(query).selectAll().select(LAST_CHECK), columns, 'asc')
      .$if(after !== null, found => found.where(isBeyond('>', columns, after ?? [])))
      .limit(limit)
      .execute();
    return page(rows, row => columns.map(column => row[column]), toVariant);
  }

  /** Runs a transaction that deletes variants, and returns the number of deleted variants. */
  const removing = (work: (trx: ShopDatabase) => Promise<number>) =>
    scope.write(async trx => {
      const removed = await work(trx);
      if (removed > 0) await changeCatalogVersion(trx, shop);
      return removed;
    });

  async function countByDigits(): Promise<VariantCounts['byDigits']> {
    const rows = await select()
      .select(eb => ['digits', eb.fn.countAll<number>().as('count')])
      .groupBy('digits')
      .execute();
    return Object.fromEntries(rows.map(({ digits, count }) => [digits, count]));
  }

  async function count(): Promise<VariantCounts> {
    // PostgreSQL runs both queries at the same time.
    const [parts, counted] = await Promise.all([
      // An index contains all of these columns, so a single index scan returns all counts.
      select()
        .select(({ fn }) => [
          ...(['status', 'digits', 'list_version'] as const),
          fn.countAll<number>().as('count'),
          // In PostgreSQL, the sum of `bigint` values is a `numeric` value, which the driver returns as text.
          sql<number>`cast(coalesce(sum(duty_min), 0) as bigint)`.as('min'),
          sql<number>`cast(coalesce(sum(duty_max), 0) as bigint)`.as('max'),
          fn.count<number>('duty_max').as('known'),
        ])
        .groupBy(['status', 'digits', 'list_version'])
        .execute(),
      // Counts groups, because PostgreSQL sorts all rows for `count(distinct …)`.
      select()
        .select(eb => eb.fn.countAll<number>().over().as('products'))
        .groupBy('product_id')
        .limit(1)
        .executeTakeFirst(),
    ]);
    const countsOf = (column: 'status' | 'digits' | 'list_version') =>
      Object.fromEntries(
        [...Map.groupBy(parts, part => part[column])].map(([word, own]) => [word, sumOf(own, 'count')]),
      );
    const byStatus = Map.groupBy(parts, ({ status }) => status);
    return {
      total: sumOf(parts, 'count'),
      products: counted?.products ?? 0,
      byStatus: countsOf('status'),
      dutyByStatus: Object.fromEntries(
        [...byStatus].map(([status, own]) => [
          status,
          { min: sumOf(own, 'min'), max: sumOf(own, 'max'), unknown: sumOf(own, 'count') - sumOf(own, 'known') },
        ]),
      ),
      byDigits: countsOf('digits'),
      byListVersion: countsOf('list_version'),
    };
  }

  return {
    async upsert(run, variants, { summarize = () => null } = {}) {
      for (let from = 0; from < variants.length; from += BATCH) {
        // A statement can't write the same row twice, so keep only the last variant with each ID.
        const batch = new Map(variants.slice(from, from + BATCH).map(variant => [variant.variantId, variant]));
        await scope.write(async trx => {
          const before = await readBefore(trx, shop, [...batch.keys()]);
          const context = { shop, run, now: clock(), summarize };
          const rows = [...batch.values()].flatMap(variant => {
            const stored = before.get(variant.variantId);
            const row = toRow(context, variant, stored);
            return stored && hasSameValues(row, stored) ? [] : [row];
          });
          for (const part of chunks([...batch.keys()])) await recordChecks(trx, context, part);
          if (rows.length === 0) return;
          for (const part of chunks(rows)) await upsertRows(trx, part);
          const products = [...new Set(rows.map(({ product_id }) => product_id))];
          await updateProductCosts(trx, shop, products);
          await sortCertificates(trx, shop, products);
          await changeCatalogVersion(trx, shop);
        });
      }
    },

    sweep: run =>
      removing(async trx => {
        let removed = 0;
        let after = '';
        for (let isLast = false; !isLast; ) {
          const next = trx.selectFrom('shop_variants').where('shop', '=', shop).where('variant_id', '>', after);
          const rows = await next.select('variant_id').orderBy('variant_id').limit(BATCH).execute();
          const last = rows.at(-1)?.variant_id ?? '';
          const checks = trx.selectFrom('shop_variant_checks').where('shop', '=', shop).where('run', '=', run);
          const checked = await checks
            .select('variant_id')
            .where('variant_id', '>', after)
            .where('variant_id', '<=', last)
            .execute();
          const covered = new Set(checked.map(({ variant_id }) => variant_id));
          const others = rows.flatMap(({ variant_id }) => (covered.has(variant_id) ? [] : [variant_id]));
          for (const part of chunks(others))
            removed += await deleteRows(trx, shop, rowsOf(trx).where('variant_id', 'in', part));
          isLast = rows.length < BATCH;
          after = last;
        }
        return removed;
      }),

    remove: which =>
      removing(async trx => {
        const queries =
          'productId' in which
            ? [rowsOf(trx).where('product_id', '=', which.productId)]
            : [...chunks(which.variantIds)].map(part => rowsOf(trx).where('variant_id', 'in', part));
        let removed = 0;
        for (const each of queries) removed += await deleteRows(trx, shop, each);
        return removed;
      }),

    async get(variantId) {
      const row = await select().selectAll().select(LAST_CHECK).where('variant_id', '=', variantId).executeTakeFirst();
      return row ? toVariant(row) : null;
    },

    list,

    async neighbors(variantId, query) {
      const columns = SORT_COLUMNS[query.sort ?? 'title'];
      const row = await select()
        .select(['sort_key', 'product_cost', 'product_id', 'variant_id'])
        .where('variant_id', '=', variantId)
        .executeTakeFirst();
      if (!row) return { previous: null, next: null };
      const position = columns.map(column => row[column]);
      const nearest = (direction: 'asc' | 'desc') =>
        inOrder(matching(query).select('variant_id'), columns, direction)
          .where(isBeyond(direction === 'asc' ? '>' : '<', columns, position))
          .limit(1)
          .executeTakeFirst();
      const [previous, next] = await Promise.all([nearest('desc'), nearest('asc')]);
      return { previous: previous?.variant_id ?? null, next: next?.variant_id ?? null };
    },

    countsByDigits: () => catalogCounts.of(shop, 'digits', countByDigits),

    async groups({ digits, ...query }) {
      const { limit, after, page } = pageRequest<[number, string]>(query, [0, '']);
      const rows = await select()
        .where('digits', '=', digits)
        .select(({ fn }) => [
          'hts_code',
          sql<string | null>`case when hts_code is null then product_id end`.as('product'),
          fn.min('variant_id').as('variant'),
          fn.countAll<number>().as('variants'),
          fn.count<number>('product_id').distinct().as('products'),
        ])
        .groupBy(['hts_code', sql`case when hts_code is null then product_id end`])
        .$if(after !== null, groups =>
          groups.having(
            sql<boolean>`count(*) < ${after?.[0]} or (count(*) = ${after?.[0]} and ${GROUP_KEY} > ${after?.[1]})`,
          ),
        )
        .orderBy(sql`count(*)`, 'desc')
        .orderBy(GROUP_KEY)
        .limit(limit)
        .execute();
      return page(
        rows,
        ({ variants, hts_code, product }) => [variants, hts_code ?? product ?? ''],
        ({ hts_code, product, variant, variants, products }) => ({
          ...{ htsCode: hts_code, productId: product, variantId: variant, variants, products },
        }),
      );
    },

    counts: () => catalogCounts.of(shop, 'variants', count),
  };
}

function inOrder<Row>(
  query: SelectQueryBuilder<ShopSchema, 'shop_variants', Row>,
  columns: readonly SortColumn[],
  direction: 'asc' | 'desc',
): typeof query {
  return columns.reduce((ordered, column) => ordered.orderBy(column, direction), query);
}

/**
 * Returns the SQL condition for rows after (`>`) or before (`<`) a position in the sort order. Because the condition is
 * a row comparison, SQLite and PostgreSQL can start reading at the position in the index.
 */
const isBeyond = (operator: '<' | '>', columns: readonly SortColumn[], position: ListPosition) =>
  sql<boolean>`(${sql.join(columns.map(column => sql.ref(column)))}) ${sql.raw(operator)} (${sql.join(position)})`;

function sumOf<Name extends string>(rows: readonly Readonly<Record<Name, number>>[], name: Name): number {
  return rows.reduce((sum, row) => sum + row[name], 0);
}

async function readBefore(
  trx: ShopDatabase,
  shop: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, VariantRow>> {
  const rows = await trx
    .selectFrom('shop_variants')
    .selectAll()
    .where('shop', '=', shop)
    .where('variant_id', 'in', padIds(ids))
    .execute();
  return new Map(rows.map(row => [row.variant_id, row]));
}

/**
 * Returns whether a row's values match the stored row, ignoring when the variant was last checked and the product's
 * cost.
 */
function hasSameValues(row: VariantRow, stored: VariantRow): boolean {
  const { checked_at, run, product_cost, ...values } = row;
  return Object.entries(values).every(([column, value]) => stored[column as keyof VariantRow] === value);
}

/** Records that a catalog run checked these variants. */
async function recordChecks(
  trx: ShopDatabase,
  { shop, run, now }: Pick<RowContext, 'shop' | 'run' | 'now'>,
  ids: readonly string[],
): Promise<void> {
  await trx
    .insertInto('shop_variant_checks')
    .values(ids.map(variant_id => ({ shop, variant_id, checked_at: now, run })))
    .onConflict(conflict =>
      conflict
        .columns(['shop', 'variant_id'])
        .doUpdateSet(({ ref }) => ({ checked_at: ref('excluded.checked_at'), run: ref('excluded.run') })),
    )
    .execute();
}

async function upsertRows(trx: ShopDatabase, rows: readonly VariantRow[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  // An existing row keeps its product's cost, which depends on all of the product's variants.
  const { shop, variant_id, product_cost, ...rest } = first;
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

/** Deletes rows, and returns the number of deleted rows. */
async function deleteRows(
  trx: ShopDatabase,
  shop: string,
  query: DeleteQueryBuilder<ShopSchema, 'shop_variants', DeleteResult>,
): Promise<number> {
  const rows = await query.returning(['variant_id', 'product_id']).execute();
  for (const part of chunks(rows.map(({ variant_id }) => variant_id)))
    await trx.deleteFrom('shop_variant_checks').where('shop', '=', shop).where('variant_id', 'in', part).execute();
  for (const part of chunks([...new Set(rows.map(({ product_id }) => product_id))]))
    await updateProductCosts(trx, shop, part);
  return rows.length;
}

/**
 * Sorts variants by their highest possible duty, highest first. An unknown duty (-1) is sorted between a duty of one
 * cent (-2) and no duty (0).
 */
const COST = sql<number>`coalesce(-2 * variant.duty_max, -1)`;

/** Updates product costs after a change to the products' variants. Most of the costs stay the same. */
async function updateProductCosts(trx: ShopDatabase, shop: string, products: readonly string[]): Promise<void> {
  const costs = await trx
    .selectFrom('shop_variants as variant')
    .select(['product_id', sql<number>`min(${COST})`.as('cost')])
    .where('shop', '=', shop)
    .where('product_id', 'in', padIds(products))
    .groupBy('product_id')
    .having(sql<boolean>`min(product_cost) != min(${COST}) or max(product_cost) != min(${COST})`)
    .execute();
  for (const [cost, changed] of Map.groupBy(costs, each => each.cost))
    for (const part of chunks(changed))
      await trx
        .updateTable('shop_variants')
        .set({ product_cost: cost })
        .where('shop', '=', shop)
        .where(
          'product_id',
          'in',
          part.map(({ product_id }) => product_id),
        )
        .execute();
}

/** Updates the sort keys of these products' certificates. Most products don't have a certificate. */
async function sortCertificates(trx: ShopDatabase, shop: string, products: readonly string[]): Promise<void> {
  await trx
    .updateTable('shop_product_certificates')
    .set({
      sort_key: sql<string>`coalesce((
        select min(variant.sort_key) from shop_variants as variant
        where variant.shop = shop_product_certificates.shop and variant.product_id = shop_product_certificates.product_id
      ), '')`,
    })
    .where('shop', '=', shop)
    .where('product_id', 'in', padIds(products))
    .execute();
}

interface RowContext extends Required<UpsertOptions> {
  readonly shop: string;
  readonly run: string;
  readonly now: number;
}

function toRow(
  { shop, run, now, summarize }: RowContext,
  variant: NewVariant,
  before: VariantRow | undefined,
): VariantRow {
  const product_title = stripNul(variant.productTitle);
  const variant_title = stripNul(variant.variantTitle);
  const sku = variant.sku && stripNul(variant.sku);
  const hts_code = variant.htsCode && stripNul(variant.htsCode);
  const { productId, origin, digits, status, listVersion, price = null, duty } = variant;
  const product_type = variant.productType ? stripNul(variant.productType) : null;
  const image_url = variant.imageUrl ? stripNul(variant.imageUrl) : null;
  const answer = toJsonText(variant.answer);
  const row = {
    ...{ shop, variant_id: variant.variantId, product_id: productId, product_title, variant_title, sku, hts_code },
    ...{ origin, digits, status, list_version: listVersion, checked_at: now, run, answer },
    ...{ product_type, image_url, price, duty_min: duty?.min ?? null, duty_max: duty?.max ?? null },
    product_cost: duty ? -2 * duty.max : -1,
    sort_key: naturalKey(`${product_title} ${variant_title}`),
    search: [product_title, variant_title, sku, hts_code, bare(hts_code ?? '')].join('\n').toLowerCase(),
  };
  const changes = before ? changesBetween(before, row, summarize) : [];
  if (changes.length === 0) {
    const { changed_at = null, changes: kept = '[]', changed_by = null } = before ?? {};
    return { ...row, changed_at, changes: kept, changed_by };
  }
  const sameGoods = changes.every(({ field }) => field === 'status' || field === 'answer');
  const byList = sameGoods && before?.list_version !== listVersion;
  return { ...row, changed_at: now, changes: toJsonText(changes), changed_by: byList ? listVersion : null };
}

function changesBetween(
  before: VariantRow,
  after: Pick<VariantRow, 'hts_code' | 'origin' | 'status' | 'answer'>,
  summarize: RowContext['summarize'],
): VariantChange[] {
  const changes: VariantChange[] = [
    { field: 'htsCode', from: before.hts_code, to: after.hts_code },
    { field: 'origin', from: before.origin, to: after.origin },
    { field: 'status', from: before.status, to: after.status },
  ];
  const changed = changes.filter(({ from, to }) => from !== to);
  if (before.answer === after.answer) return changed;
  const [from, to] = [before, after].map(({ answer }) => summarize(JSON.parse(answer)));
  return [...changed, { field: 'answer', from: from ?? null, to: to ?? null }];
}

/**
 * Returns a key that sorts titles naturally, ignoring case: `SKU 2` before `SKU 10`. In the key, each number is
 * prefixed with its digit count.
 *
 * @example naturalKey('SKU 10') // 'sku 0210'
 */
function naturalKey(title: string): string {
  return title
    .toLowerCase()
    .replace(/[0-9]+/g, digits => {
      const value = digits.replace(/^0+(?=.)/, '');
      return `${Math.min(value.length, 99)}`.padStart(2, '0') + value;
    })
    .slice(0, 200);
}

/** Removes dots and spaces from a code. */
function bare(code: string): string {
  return code.replace(/[\s.]/g, '');
}

/** Returns the `like` patterns for search text, with wildcards escaped. */
function patternsOf(text: string): string[] {
  const words = stripNul(text).trim().toLowerCase();
  const codes = /^[\d\s.]+$/.test(words) ? [bare(words)] : [];
  return [...new Set([words, ...codes])].map(part => `%${part.replace(/[\\%_]/g, '\\$&')}%`);
}

function toVariant(row: VariantRow & { readonly last_check: number | null }): Variant {
  return {
    variantId: row.variant_id,
    productId: row.product_id,
    productTitle: row.product_title,
    variantTitle: row.variant_title,
    productType: row.product_type,
    imageUrl: row.image_url,
    sku: row.sku,
    htsCode: row.hts_code,
    origin: row.origin,
    digits: row.digits,
    status: row.status,
    answer: JSON.parse(row.answer),
    listVersion: row.list_version,
    price: row.price,
    duty: row.duty_min === null || row.duty_max === null ? null : { min: row.duty_min, max: row.duty_max },
    checkedAt: row.last_check ?? row.checked_at,
    changedAt: row.changed_at,
    changes: JSON.parse(row.changes),
  };
}
