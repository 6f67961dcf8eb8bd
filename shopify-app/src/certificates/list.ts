import type { CertificateStatus } from '@compliance/core/entry';
import type { Page, ProductCertificate, ProductCertificateState, Shop } from '@compliance/store/shop';
import { z } from 'zod';
import { pageAt } from '../lib/paging.ts';
import { type IssuingContext, ownCertificate, productNumber } from './certificate-context.ts';
import { remindUntil } from './retests.ts';

const PAGE_SIZE = 25;

/** Number of variants that a search reads per page. A product's variants are adjacent in the results. */
const SEARCHED = 75;

const querySchema = z.object({
  state: z.enum(['none', 'draft', 'issued', 'voided']).catch('none'),
  q: z.string().trim().max(100).optional().catch(undefined),
  cursor: z.string().max(500).optional().catch(undefined),
});

/** Filters and cursor from the page URL. A text search includes products in every state. */
export type CertificatesQuery = z.infer<typeof querySchema>;

/** Parses the list's query parameters. Ignores invalid values. */
export const parseCertificatesQuery = (query: URLSearchParams): CertificatesQuery =>
  querySchema.parse(Object.fromEntries(query));

/** Product in the certificate list. */
interface ProductRow {
  /** Numeric product ID, as used in URLs. */
  readonly product: string;
  /** Product title, or null if the product is no longer in the catalog. */
  readonly title: string | null;
  /**
   * Status of the product's newest certificate, `draft` if the product has only a draft, or null if the product has
   * neither.
   */
  readonly status: CertificateStatus | null;
  readonly updatedAt: number | null;
  /** Due date of the next test (YYYY-MM-DD) if the test is due soon or overdue, otherwise null. */
  readonly retestDue: string | null;
}

/** Certificate list content. */
export interface CertificatesView {
  readonly timeZone: string;
  readonly asked: CertificatesQuery;
  readonly rows: readonly ProductRow[];
  readonly next: string | null;
  readonly counts: Readonly<Record<ProductCertificateState, number>>;
  /**
   * Whether the catalog contains any products. Before the first catalog sync, an empty list doesn't mean that the shop
   * has no products.
   */
  readonly hasCatalog: boolean;
}

/** Returns a page of the list, using only stored data. Returns the first page if the cursor is invalid. */
export async function certificatesOf(context: IssuingContext, asked: CertificatesQuery): Promise<CertificatesView> {
  const { shop } = context.merchant;
  const read = (cursor: string | undefined) =>
    asked.q ? found(context, asked.q, cursor) : listed(context, asked.state, cursor);
  const [record, counts, { rows, next }, first] = await Promise.all([
    shop.record(),
    shop.productCertificates.counts(),
    pageAt(asked.cursor, read),
    shop.variants.list({ limit: 1 }),
  ]);
  return { timeZone: record?.timeZone ?? 'UTC', asked, rows, next, counts, hasCatalog: first.rows.length > 0 };
}

async function listed(
  context: IssuingContext,
  state: ProductCertificateState,
  cursor: string | undefined,
): Promise<Page<ProductRow>> {
  const { shop } = context.merchant;
  const query = { limit: PAGE_SIZE, cursor };
  if (state === 'none') {
    const { rows, next } = await shop.productCertificates.missing(query);
    const shown = rows.map(({ productId, productTitle }) => ({
      ...{ product: productNumber(productId), title: productTitle },
      ...{ status: null, updatedAt: null, retestDue: null },
    }));
    return { rows: shown, next };
  }
  const { rows, next } = await shop.productCertificates.list({ state, ...query });
  const shown = rows.map(async row => ({
    ...{ product: productNumber(row.productId), title: await productTitleOf(shop, row.productId) },
    ...{ status: await statusOf(context, row), updatedAt: row.updatedAt, retestDue: dueSoon(context, row) },
  }));
  return { rows: await Promise.all(shown), next };
}

/**
 * Finds products with a matching variant. Each product appears only on the page of its first match, even if its
 * variants continue on later pages.
 */
async function found(context: IssuingContext, text: string, cursor: string | undefined): Promise<Page<ProductRow>> {
  const { shop } = context.merchant;
  const { rows, next } = await shop.variants.list({ text, limit: SEARCHED, cursor });
  const here = new Set(rows.map(({ variantId }) => variantId));
  const titles = new Map(rows.map(({ productId, productTitle }) => [productId, productTitle]));
  for (const productId of cursor ? titles.keys() : []) {
    const [first] = (await shop.variants.list({ productId, text, limit: 1 })).rows;
    if (!first || !here.has(first.variantId)) titles.delete(productId);
  }
  const known = await shop.productCertificates.many([...titles.keys()]);
  const shown = [...titles].map(async ([productId, title]) => {
    const row = known.get(productId);
    const status = row ? await statusOf(context, row) : null;
    const retestDue = row ? dueSoon(context, row) : null;
    return { product: productNumber(productId), title, status, updatedAt: row?.updatedAt ?? null, retestDue };
  });
  return { rows: await Promise.all(shown), next };
}

/** Returns the status of a product's certificate. If the product has only a draft, the status is `draft`. */
async function statusOf(
  context: IssuingContext,
  { state, gccId }: ProductCertificate,
): Promise<CertificateStatus | null> {
  if (state === 'none' || state === 'draft') return state === 'draft' ? 'draft' : null;
  return (gccId && (await ownCertificate(context, gccId))?.status) || null;
}

/** Returns the due date of a valid certificate's next test if the test is due soon or overdue, otherwise null. */
function dueSoon({ clock }: IssuingContext, { state, retestDue }: ProductCertificate): string | null {
  return state === 'issued' && retestDue !== null && retestDue <= remindUntil(clock()) ? retestDue : null;
}

/** Returns the product title, or null if the product is no longer in the catalog. */
export const productTitleOf = async (shop: Shop, productId: string): Promise<string | null> =>
  (await shop.variants.list({ productId, limit: 1 })).rows[0]?.productTitle ?? null;
