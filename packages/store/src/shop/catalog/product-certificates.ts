import { toJsonText } from '../../database/json.ts';
import { StoreError } from '../../errors.ts';
import { padIds } from '../chunks.ts';
import { type Page, type PageQuery, pageRequest } from '../pagination.ts';
import type { CertificateEventRow, ProductCertificateRow, ShopDatabase } from '../schema.ts';
import { type ShopScope, stripNul } from '../scope.ts';

/**
 * Certificate state of a product: `issued` (a valid certificate), `draft` (a draft but no valid certificate), `voided`
 * (neither, and the newest certificate was voided), or `none`.
 */
export type ProductCertificateState = 'none' | ProductCertificateRow['state'];

/** A product's certificate data. Times are in ms since the Unix epoch. */
export interface ProductCertificate {
  readonly productId: string;
  readonly state: ProductCertificateState;
  /**
   * Saved draft (any JSON value), or null if there is no draft. A product with a valid certificate can also have a
   * draft, which supersedes the certificate once it's issued.
   */
  readonly draft: unknown;
  /** ID of the newest certificate, even if it isn't valid. Null if the product never had a certificate. */
  readonly gccId: string | null;
  readonly updatedAt: number | null;
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
  /** ms since the Unix epoch. */
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
  /** Returns all events for a product, newest first. */
  history(productId: string): Promise<readonly ProductCertificateEvent[]>;
  /**
   * Lists products in the given state, sorted by ID, including products that are no longer in the catalog.
   *
   * @throws StoreError with `cursor_invalid`
   */
  list(
    query: { readonly state: Exclude<ProductCertificateState, 'none'> } & PageQuery,
  ): Promise<Page<ProductCertificate>>;
  /**
   * Lists catalog products with neither a certificate nor a draft, sorted by ID.
   *
   * @throws StoreError with `cursor_invalid`
   */
  missing(query: PageQuery): Promise<Page<{ readonly productId: string; readonly productTitle: string }>>;
  /** Returns the number of products in each state. The number for `none` includes only products in the catalog. */
  counts(): Promise<Readonly<Record<ProductCertificateState, number>>>;
}

export function createShopProductCertificates(scope: ShopScope): ShopProductCertificates {
  const { durable, clock, newId, shop, write } = scope;

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
  ): Promise<ProductCertificate> {
    if (state === 'none') {
      await trx
        .deleteFrom('shop_product_certificates')
        .where('shop', '=', shop)
        .where('product_id', '=', productId)
        .execute();
      return nothingKnown(productId);
    }
    const values = { state, gcc_id: gccId, draft, updated_at: clock() };
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

  /** Selects catalog products with neither a certificate nor a draft. */
  const missing = () =>
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
      )
      .groupBy('variant.product_id');

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
        return await put(trx, productId, { state, gccId: row?.gcc_id ?? null, draft: toJsonText(draft) });
      }),

    discardDraft: productId =>
      write(async trx => {
        const row = await find(trx, productId);
        const gccId = row?.gcc_id ?? null;
        const state = row?.state === 'issued' ? 'issued' : gccId === null ? 'none' : 'voided';
        return await put(trx, productId, { state, gccId, draft: null });
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

    async history(productId) {
      const rows = await eventsOf(durable, productId);
      return rows.map(({ shop: _, product_id, gcc_id, ...row }) => ({ ...row, productId: product_id, gccId: gcc_id }));
    },

    async list({ state, ...query }) {
      const { limit, after, page } = pageRequest<[string]>(query, ['']);
      const rows = await durable
        .selectFrom('shop_product_certificates')
        .selectAll()
        .where('shop', '=', shop)
        .where('state', '=', state)
        .$if(after !== null, found => found.where('product_id', '>', after?.[0] ?? ''))
        .orderBy('product_id')
        .limit(limit)
        .execute();
      return page(rows, ({ product_id }) => [product_id], toProductCertificate);
    },

    async missing(query) {
      const { limit, after, page } = pageRequest<[string]>(query, ['']);
      const rows = await missing()
        .select(eb => ['variant.product_id as productId', eb.fn.min('variant.product_title').as('productTitle')])
        .$if(after !== null, found => found.where('variant.product_id', '>', after?.[0] ?? ''))
        .orderBy('variant.product_id')
        .limit(limit)
        .execute();
      return page(
        rows,
        ({ productId }) => [productId],
        row => row,
      );
    },

    async counts() {
      const rows = await durable
        .selectFrom('shop_product_certificates')
        .select(eb => ['state', eb.fn.countAll<number>().as('count')])
        .where('shop', '=', shop)
        .groupBy('state')
        .execute();
      const none = (await missing().select('variant.product_id').execute()).length;
      return { none, draft: 0, issued: 0, voided: 0, ...Object.fromEntries(rows.map(row => [row.state, row.count])) };
    },
  };
}

function nothingKnown(productId: string): ProductCertificate {
  return { productId, state: 'none', draft: null, gccId: null, updatedAt: null };
}

function toProductCertificate(row: ProductCertificateRow): ProductCertificate {
  return {
    productId: row.product_id,
    state: row.state,
    draft: row.draft && JSON.parse(row.draft),
    gccId: row.gcc_id,
    updatedAt: row.updated_at,
  };
}
