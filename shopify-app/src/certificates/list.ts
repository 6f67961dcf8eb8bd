import type { Page, ProductCertificateState, Shop } from '@compliance/store';
import { z } from 'zod';
import { pageAt } from '../paging.ts';
import { productNumber } from './desk.ts';

const PAGE_SIZE = 25;

/** Variants that a search reads for one page: those of one product stand together. */
const SEARCHED = 75;

const asked = z.object({
  state: z.enum(['none', 'draft', 'issued', 'voided']).catch('none'),
  q: z.string().trim().max(100).optional().catch(undefined),
  cursor: z.string().max(500).optional().catch(undefined),
});

/** What a merchant asked to see, as it stands in the address. With words to look for, products of every state. */
export type Asked = z.infer<typeof asked>;

/** Reads the query of the list; what makes no sense is left out. */
export const readAsked = (query: URLSearchParams): Asked => asked.parse(Object.fromEntries(query));

/** A product in the list. */
interface ProductRow {
  /** The number of the product, as in addresses. */
  readonly product: string;
  /** Null when it is in the catalog no more. */
  readonly title: string | null;
  readonly state: ProductCertificateState;
  readonly updatedAt: number | null;
}

/** What the list shows. */
export interface CertificatesView {
  readonly timeZone: string;
  readonly asked: Asked;
  readonly rows: readonly ProductRow[];
  readonly next: string | null;
  readonly counts: Readonly<Record<ProductCertificateState, number>>;
  /** Whether any product is known: before the catalog was read, an empty list says nothing. */
  readonly hasCatalog: boolean;
}

/** A page of the list, from what is stored alone. A cursor that leads nowhere gives the first page. */
export async function certificatesOf(shop: Shop, asked: Asked): Promise<CertificatesView> {
  const read = (cursor: string | undefined) =>
    asked.q ? found(shop, asked.q, cursor) : listed(shop, asked.state, cursor);
  const [record, counts, { rows, next }, first] = await Promise.all([
    shop.record(),
    shop.productCertificates.counts(),
    pageAt(asked.cursor, read),
    shop.variants.list({ limit: 1 }),
  ]);
  return { timeZone: record?.timeZone ?? 'UTC', asked, rows, next, counts, hasCatalog: first.rows.length > 0 };
}

async function listed(
  shop: Shop,
  state: ProductCertificateState,
  cursor: string | undefined,
): Promise<Page<ProductRow>> {
  const query = { limit: PAGE_SIZE, cursor };
  if (state === 'none') {
    const { rows, next } = await shop.productCertificates.missing(query);
    const shown = rows.map(({ productId, productTitle }) => ({
      ...{ product: productNumber(productId), title: productTitle },
      ...{ state, updatedAt: null },
    }));
    return { rows: shown, next };
  }
  const { rows, next } = await shop.productCertificates.list({ state, ...query });
  const shown = rows.map(async ({ productId, updatedAt }) => ({
    ...{ product: productNumber(productId), title: await titleOf(shop, productId) },
    ...{ state, updatedAt },
  }));
  return { rows: await Promise.all(shown), next };
}

/** Products that have a variant which fits. Each is on the page of its first one: its variants may go on over others. */
async function found(shop: Shop, text: string, cursor: string | undefined): Promise<Page<ProductRow>> {
  const { rows, next } = await shop.variants.list({ text, limit: SEARCHED, cursor });
  const here = new Set(rows.map(({ variantId }) => variantId));
  const titles = new Map(rows.map(({ productId, productTitle }) => [productId, productTitle]));
  for (const productId of cursor ? titles.keys() : []) {
    const [first] = (await shop.variants.list({ productId, text, limit: 1 })).rows;
    if (!first || !here.has(first.variantId)) titles.delete(productId);
  }
  const standings = await shop.productCertificates.many([...titles.keys()]);
  const shown = [...titles].map(([productId, title]) => {
    const { state = 'none', updatedAt = null } = standings.get(productId) ?? {};
    return { product: productNumber(productId), title, state, updatedAt };
  });
  return { rows: shown, next };
}

/** The title of a product; null when it is in the catalog no more. */
export const titleOf = async (shop: Shop, productId: string): Promise<string | null> =>
  (await shop.variants.list({ productId, limit: 1 })).rows[0]?.productTitle ?? null;
