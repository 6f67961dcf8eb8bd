import type { Database } from '../../database/schema.ts';
import { StoreError } from '../../errors.ts';
import { padded } from '../batches.ts';
import { type Page, type PageQuery, pageRequest } from '../page.ts';
import type { CertificateEventRow, ProductCertificateRow } from '../schema.ts';
import { plain, type Scope, toJson } from '../scope.ts';

/**
 * `issued`: a certificate is in force. Else `draft`: something was begun. Else `voided`: there was a certificate. Else `none`.
 */
export type ProductCertificateState = 'none' | ProductCertificateRow['state'];

/** Where a product stands. Times are ms since epoch. */
export interface ProductCertificate {
  readonly productId: string;
  readonly state: ProductCertificateState;
  /** What was filled in so far, any JSON value; null when nothing. It may stand beside a certificate that is to be replaced. */
  readonly draft: unknown;
  /** The newest certificate, in force or not, or null. */
  readonly gccId: string | null;
  readonly updatedAt: number | null;
}

/** One step of a product's history. */
export interface ProductCertificateEvent {
  readonly id: string;
  readonly productId: string;
  /** `issued` also for a successor, which `supersedes` another. */
  readonly event: 'issued' | 'voided';
  readonly gccId: string;
  readonly supersedes: string | null;
  readonly reason: string | null;
  /** Who did it, a user id of the shop's admin or a name. */
  readonly by: string;
  /** ms since epoch. */
  readonly at: number;
}

/** Which certificates belong to a shop's products. The certificates themselves are in `store.certificates`. */
export interface OwnProductCertificates {
  /** Where a product stands; `none` for one that nothing is known of. */
  get(productId: string): Promise<ProductCertificate>;
  /** Where several products stand, at most 1,000, by their ids. */
  many(productIds: readonly string[]): Promise<ReadonlyMap<string, ProductCertificate>>;
  /** Keeps what was filled in, in the place of what was. */
  saveDraft(productId: string, draft: unknown): Promise<ProductCertificate>;
  /** Forgets what was filled in. */
  discardDraft(productId: string): Promise<ProductCertificate>;
  /** Says that a certificate was issued for a product; its draft is done with. Saying it twice changes nothing. */
  issued(
    productId: string,
    issue: { readonly gccId: string; readonly supersedes?: string | null | undefined; readonly by: string },
  ): Promise<ProductCertificate>;
  /** Says that a product's certificate was voided. @throws StoreError `certificate_unknown` when the product has no such one */
  voided(
    productId: string,
    end: { readonly gccId: string; readonly reason: string; readonly by: string },
  ): Promise<ProductCertificate>;
  /** All steps of a product, newest first. */
  history(productId: string): Promise<readonly ProductCertificateEvent[]>;
  /** Products of one state, also those that have left the catalog, by id. @throws StoreError `cursor_invalid` */
  list(
    query: { readonly state: Exclude<ProductCertificateState, 'none'> } & PageQuery,
  ): Promise<Page<ProductCertificate>>;
  /** Products of the catalog of which nothing is known here, by id. @throws StoreError `cursor_invalid` */
  missing(query: PageQuery): Promise<Page<{ readonly productId: string; readonly productTitle: string }>>;
  /** How many products there are of each state; `none` counts those of the catalog. */
  counts(): Promise<Readonly<Record<ProductCertificateState, number>>>;
}

export function createOwnProductCertificates(scope: Scope): OwnProductCertificates {
  const { ledger, clock, newId, shop, write } = scope;

  const find = (db: Database, productId: string) =>
    db
      .selectFrom('shop_product_certificates')
      .selectAll()
      .where('shop', '=', shop)
      .where('product_id', '=', productId)
      .executeTakeFirst();

  const eventsOf = (db: Database, productId: string) =>
    db
      .selectFrom('shop_certificate_events')
      .selectAll()
      .where('shop', '=', shop)
      .where('product_id', '=', productId)
      .orderBy('id', 'desc')
      .execute();

  /** Puts a product where it stands now, or forgets it when nothing is known of it any more. */
  async function put(
    trx: Database,
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

  async function append(trx: Database, event: Omit<CertificateEventRow, 'shop' | 'id' | 'at'>): Promise<void> {
    const row = { ...event, shop, id: newId('cev'), at: clock(), by: plain(event.by) };
    await trx.insertInto('shop_certificate_events').values(row).execute();
  }

  /** Products of the catalog of which nothing is known here. */
  const missing = () =>
    ledger
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
      const row = await find(ledger, productId);
      return row ? toProductCertificate(row) : nothingKnown(productId);
    },

    async many(productIds) {
      const rows = await ledger
        .selectFrom('shop_product_certificates')
        .selectAll()
        .where('shop', '=', shop)
        .where('product_id', 'in', padded(productIds))
        .execute();
      const known = new Map(rows.map(row => [row.product_id, toProductCertificate(row)]));
      return new Map(productIds.map(id => [id, known.get(id) ?? nothingKnown(id)]));
    },

    saveDraft: (productId, draft) =>
      write(async trx => {
        const row = await find(trx, productId);
        const state = row?.state === 'issued' ? 'issued' : 'draft';
        return await put(trx, productId, { state, gccId: row?.gcc_id ?? null, draft: toJson(draft) });
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
          throw new StoreError('certificate_unknown', `Product ${productId} of ${shop} has no certificate ${gccId}.`);
        }
        if (events.some(({ event }) => event === 'voided')) return toProductCertificate(row);
        const event = { product_id: productId, event: 'voided', gcc_id: gccId, supersedes: null } as const;
        await append(trx, { ...event, reason: plain(reason), by });
        // One that had a successor already no longer says where the product stands.
        if (row.gcc_id !== gccId) return toProductCertificate(row);
        return await put(trx, productId, { state: row.draft === null ? 'voided' : 'draft', gccId, draft: row.draft });
      }),

    async history(productId) {
      const rows = await eventsOf(ledger, productId);
      return rows.map(({ shop: _, product_id, gcc_id, ...row }) => ({ ...row, productId: product_id, gccId: gcc_id }));
    },

    async list({ state, ...query }) {
      const { limit, after, page } = pageRequest<[string]>(query, ['']);
      const rows = await ledger
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
      const rows = await ledger
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
