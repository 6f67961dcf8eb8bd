import { sql } from 'kysely';
import { padIds } from '../../database/chunks.ts';
import { toJsonText } from '../../database/json.ts';
import { StoreError } from '../../errors.ts';
import { changeCatalogVersion } from '../catalog-counts.ts';
import { type Page, type PageQuery, pageRequest } from '../pagination.ts';
import type { CertificateEventRow, ProductCertificateRow, ShopDatabase } from '../schema.ts';
import { type ShopScope, stripNul } from '../scope.ts';

/**
 * Certificate state of a product: `issued` (a valid certificate), `draft` (a draft but no valid certificate), `voided`
 * (neither, and the newest certificate was voided), or `none`.
 */
export type ProductCertificateState = 'none' | ProductCertificateRow['state'];

/** A product's certificate data. Times are in milliseconds since the Unix epoch. */
export interface ProductCertificate {
  readonly productId: string;
  readonly state: ProductCertificateState;
  /**
   * Saved draft (any JSON value), or null if there is no draft. A product with a valid certificate can also have a
   * draft, which supersedes the certificate once the draft is issued.
   */
  readonly draft: unknown;
  /** ID of the newest certificate, even if it isn't valid. Null if the product never had a certificate. */
  readonly gccId: string | null;
  readonly updatedAt: number | null;
  /** Status of the newest certificate when the app last checked it, or null if the app hasn't checked it. */
  readonly checkedStatus: string | null;
  /**
   * Due date (YYYY-MM-DD) of the product's next test, determined when the app last checked the certificate. Null if no
   * due date is known.
   */
  readonly retestDue: string | null;
}

/**
 * Numbers of products with a valid certificate that needs attention, by reason. A product can be counted for several
 * reasons.
 */
export interface CertificateNeeds {
  /** Products whose certificate the app hasn't checked yet. */
  readonly unchecked: number;
  readonly incomplete: number;
  readonly superseded: number;
  /** Products with a test that is due on or before the given date. */
  readonly retest: number;
}

/** Event in a product's certificate history. */
export interface ProductCertificateEvent {
  readonly id: string;
  readonly productId: string;
  /**
   * Event type. A successor is also recorded as an `issued` event, with the ID of the superseded certificate in
   * `supersedes`.
   */
  readonly event: 'issued' | 'voided';
  readonly gccId: string;
  readonly supersedes: string | null;
  readonly reason: string | null;
  /** User who caused the event: a Shopify admin user ID or a name. */
  readonly by: string;
  /** Time of the event, in milliseconds since the Unix epoch. */
  readonly at: number;
}

/** Links between a shop's products and the certificates in `store.certificates`. */
export interface ShopProductCertificates {
  /** Returns a product's certificate data. The state of an unknown product is `none`. */
  get(productId: string): Promise<ProductCertificate>;
  /** Returns the certificate data of up to 1,000 products, by product ID. */
  many(productIds: readonly string[]): Promise<ReadonlyMap<string, ProductCertificate>>;
  /** Saves a draft, replacing the previous draft. */
  saveDraft(productId: string, draft: unknown): Promise<ProductCertificate>;
  /** Deletes a draft. */
  discardDraft(productId: string): Promise<ProductCertificate>;
  /**
   * Records that a certificate was issued for a product, and deletes the draft. Recording the same certificate again
   * has no effect.
   */
  issued(
    productId: string,
    issue: { readonly gccId: string; readonly supersedes?: string | null | undefined; readonly by: string },
  ): Promise<ProductCertificate>;
  /**
   * Records that a product's certificate was voided.
   *
   * @throws StoreError with `certificate_unknown` if the product doesn't have this certificate
   */
  voided(
    productId: string,
    end: { readonly gccId: string; readonly reason: string; readonly by: string },
  ): Promise<ProductCertificate>;
  /** Stores the result of checking a certificate. Has no effect if the certificate isn't the product's newest one. */
  checked(
    productId: string,
    result: { readonly gccId: string; readonly status: string; readonly retestDue: string | null },
  ): Promise<void>;
  /** Counts the products whose valid certificate needs attention, by reason. `retestBy` is a date, YYYY-MM-DD. */
  needs(query: { readonly retestBy: string }): Promise<CertificateNeeds>;
  /** Returns all events for a product, newest first. */
  history(productId: string): Promise<readonly ProductCertificateEvent[]>;
  /**
   * Lists products in the given state, sorted by title, including products that are no longer in the catalog.
   *
   * @throws StoreError with `cursor_invalid`
   */
  list(
    query: { readonly state: Exclude<ProductCertificateState, 'none'> } & PageQuery,
  ): Promise<Page<ProductCertificate>>;
  /**
   * Lists catalog products with neither a certificate nor a draft, sorted by title.
   *
   * @throws StoreError with `cursor_invalid`
   */
  missing(query: PageQuery): Promise<Page<{ readonly productId: string; readonly productTitle: string }>>;
  /** Returns the number of products in each state. The number for `none` includes only products in the catalog. */
  counts(): Promise<Readonly<Record<ProductCertificateState, number>>>;
}

/** Column values for a product whose certificate the app hasn't checked. */
const UNCHECKED = { gcc_status: null, retest_due: null, sort_key: '' };

export function createShopProductCertificates(scope: ShopScope): ShopProductCertificates {
  const { durable, clock, newId, shop, write, catalogCounts } = scope;

  const find = (db: ShopDatabase, productId: string) =>
    db
      .selectFrom('shop_product_certificates')
      .selectAll()
      .where('shop', '=', shop)
      .where('product_id', '=', productId)
      .executeTakeFirst();

  const eventsOf = (db: ShopDatabase, productId: string) =>
    db
      .selectFrom('shop_certificate_events')
      .selectAll()
      .where('shop', '=', shop)
      .where('product_id', '=', productId)
      .orderBy('id', 'desc')
      .execute();

  /** Saves the state of a product. Deletes the row if it no longer contains any data. */
  async function put(
    trx: ShopDatabase,
    productId: string,
    { state, gccId, draft }: { state: ProductCertificateState; gccId: string | null; draft: string | null },
    before: Pick<ProductCertificateRow, 'gcc_status' | 'retest_due' | 'sort_key'> = UNCHECKED,
  ): Promise<ProductCertificate> {
    await changeCatalogVersion(trx, shop);
    if (state === 'none') {
      await trx
        .deleteFrom('shop_product_certificates')
        .where('shop', '=', shop)
        .where('product_id', '=', productId)
        .execute();
      return nothingKnown(productId);
    }
    const first = await trx
      .selectFrom('shop_variants')
      .select('sort_key')
      .where('shop', '=', shop)
      .where('product_id', '=', productId)
      .orderBy('sort_key')
      .limit(1)
      .executeTakeFirst();
    const sort_key = first?.sort_key ?? before.sort_key;
    const { gcc_status, retest_due } = before;
    const values = { state, gcc_id: gccId, draft, updated_at: clock(), gcc_status, retest_due, sort_key };
    await trx
      .insertInto('shop_product_certificates')
      .values({ shop, product_id: productId, ...values })
      .onConflict(conflict => conflict.columns(['shop', 'product_id']).doUpdateSet(values))
      .execute();
    return toProductCertificate({ shop, product_id: productId, ...values });
  }

  async function append(trx: ShopDatabase, event: Omit<CertificateEventRow, 'shop' | 'id' | 'at'>): Promise<void> {
    const row = { ...event, shop, id: newId('cev'), at: clock(), by: stripNul(event.by) };
    await trx.insertInto('shop_certificate_events').values(row).execute();
  }

  /** Selects the variants of products with neither a certificate nor a draft. */
  const withoutCertificate = () =>
    durable
      .selectFrom('shop_variants as variant')
      .where('variant.shop', '=', shop)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('shop_product_certificates as known')
              .select('known.product_id')
              .where('known.shop', '=', shop)
              .whereRef('known.product_id', '=', 'variant.product_id'),
          ),
        ),
      );

  async function count(): Promise<Readonly<Record<ProductCertificateState, number>>> {
    const rows = await durable
      .selectFrom('shop_product_certificates')
      .select(eb => ['state', eb.fn.countAll<number>().as('count')])
      .where('shop', '=', shop)
      .groupBy('state')
      .execute();
    // Count groups, because `count(distinct …)` makes PostgreSQL sort all rows.
    const missing = await withoutCertificate()
      .select(eb => eb.fn.countAll<number>().over().as('products'))
      .groupBy('variant.product_id')
      .limit(1)
      .executeTakeFirst();
    const none = missing?.products ?? 0;
    return { none, draft: 0, issued: 0, voided: 0, ...Object.fromEntries(rows.map(row => [row.state, row.count])) };
  }

  return {
    async get(productId) {
      const row = await find(durable, productId);
      return row ? toProductCertificate(row) : nothingKnown(productId);
    },

    async many(productIds) {
      const rows = await durable
        .selectFrom('shop_product_certificates')
        .selectAll()
        .where('shop', '=', shop)
        .where('product_id', 'in', padIds(productIds))
        .execute();
      const known = new Map(rows.map(row => [row.product_id, toProductCertificate(row)]));
      return new Map(productIds.map(id => [id, known.get(id) ?? nothingKnown(id)]));
    },

    saveDraft: (productId, draft) =>
      write(async trx => {
        const row = await find(trx, productId);
        const state = row?.state === 'issued' ? 'issued' : 'draft';
        return await put(trx, productId, { state, gccId: row?.gcc_id ?? null, draft: toJsonText(draft) }, row);
      }),

    discardDraft: productId =>
      write(async trx => {
        const row = await find(trx, productId);
        const gccId = row?.gcc_id ?? null;
        const state = row?.state === 'issued' ? 'issued' : gccId === null ? 'none' : 'voided';
        return await put(trx, productId, { state, gccId, draft: null }, row);
      }),

    issued: (productId, { gccId, supersedes = null, by }) =>
      write(async trx => {
        const row = await find(trx, productId);
        const events = await eventsOf(trx, productId);
        if (row && events.some(event => event.gcc_id === gccId)) return toProductCertificate(row);
        await append(trx, { product_id: productId, event: 'issued', gcc_id: gccId, supersedes, reason: null, by });
        return await put(trx, productId, { state: 'issued', gccId, draft: null });
      }),

    voided: (productId, { gccId, reason, by }) =>
      write(async trx => {
        const row = await find(trx, productId);
        const events = (await eventsOf(trx, productId)).filter(event => event.gcc_id === gccId);
        if (!row || events.length === 0) {
          throw new StoreError(
            'certificate_unknown',
            `Product ${productId} in ${shop} doesn’t have certificate ${gccId}.`,
          );
        }
        if (events.some(({ event }) => event === 'voided')) return toProductCertificate(row);
        const event = { product_id: productId, event: 'voided', gcc_id: gccId, supersedes: null } as const;
        await append(trx, { ...event, reason: stripNul(reason), by });
        // A certificate that was already superseded doesn't determine the product's state.
        if (row.gcc_id !== gccId) return toProductCertificate(row);
        return await put(trx, productId, { state: row.draft === null ? 'voided' : 'draft', gccId, draft: row.draft });
      }),

    checked: (productId, { gccId, status, retestDue }) =>
      write(async trx => {
        await trx
          .updateTable('shop_product_certificates')
          .set({ gcc_status: status, retest_due: retestDue })
          .where('shop', '=', shop)
          .where('product_id', '=', productId)
          .where('gcc_id', '=', gccId)
          .execute();
      }),

    async needs({ retestBy }) {
      const rows = await durable
        .selectFrom('shop_product_certificates')
        .select(({ fn, val }) => [
          'gcc_status',
          fn.countAll<number>().as('products'),
          fn.count<number>(sql`case when retest_due <= ${val(retestBy)} then 1 end`).as('retest'),
        ])
        .where('shop', '=', shop)
        .where('state', '=', 'issued')
        .groupBy('gcc_status')
        .execute();
      const count = (status: string | null) => rows.find(row => row.gcc_status === status)?.products ?? 0;
      return {
        ...{ unchecked: count(null), incomplete: count('incomplete'), superseded: count('superseded') },
        retest: rows.reduce((sum, row) => sum + row.retest, 0),
      };
    },

    async history(productId) {
      const rows = await eventsOf(durable, productId);
      return rows.map(({ shop: _, product_id, gcc_id, ...row }) => ({ ...row, productId: product_id, gccId: gcc_id }));
    },

    async list({ state, ...query }) {
      const { limit, after, page } = pageRequest<[string, string]>(query, ['', '']);
      const [key = '', id = ''] = after ?? [];
      const rows = await durable
        .selectFrom('shop_product_certificates')
        .where('shop', '=', shop)
        .where('state', '=', state)
        .selectAll()
        .$if(after !== null, found =>
          found.where(({ eb, refTuple, tuple }) => eb(refTuple('sort_key', 'product_id'), '>', tuple(key, id))),
        )
        .orderBy('sort_key')
        .orderBy('product_id')
        .limit(limit)
        .execute();
      return page(rows, ({ sort_key, product_id }) => [sort_key, product_id], toProductCertificate);
    },

    async missing(query) {
      const { limit, after, page } = pageRequest<[string, string]>(query, ['', '']);
      const [key = '', id = ''] = after ?? [];
      // Each product is represented by its first variant, so that reading a page doesn't require grouping the whole
      // catalog.
      const rows = await withoutCertificate()
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('shop_variants as earlier')
                .select('earlier.variant_id')
                .where('earlier.shop', '=', shop)
                .whereRef('earlier.product_id', '=', 'variant.product_id')
                .where(({ eb, refTuple }) =>
                  eb(
                    refTuple('earlier.sort_key', 'earlier.variant_id'),
                    '<',
                    refTuple('variant.sort_key', 'variant.variant_id'),
                  ),
                ),
            ),
          ),
        )
        .select(['variant.product_id', 'variant.product_title', 'variant.sort_key', 'variant.variant_id'])
        .$if(after !== null, found =>
          found.where(({ eb, refTuple, tuple }) =>
            eb(refTuple('variant.sort_key', 'variant.variant_id'), '>', tuple(key, id)),
          ),
        )
        .orderBy('variant.sort_key')
        .orderBy('variant.variant_id')
        .limit(limit)
        .execute();
      return page(
        rows,
        ({ sort_key, variant_id }) => [sort_key, variant_id],
        ({ product_id, product_title }) => ({ productId: product_id, productTitle: product_title }),
      );
    },

    counts: () => catalogCounts.of(shop, 'certificates', count),
  };
}

function nothingKnown(productId: string): ProductCertificate {
  return { productId, state: 'none', draft: null, gccId: null, updatedAt: null, checkedStatus: null, retestDue: null };
}

function toProductCertificate(row: ProductCertificateRow): ProductCertificate {
  return {
    productId: row.product_id,
    state: row.state,
    draft: row.draft && JSON.parse(row.draft),
    gccId: row.gcc_id,
    updatedAt: row.updated_at,
    checkedStatus: row.gcc_status,
    retestDue: row.retest_due,
  };
}
