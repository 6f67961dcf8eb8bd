import { easternDate } from '@compliance/core/tariff';
import type { Shop } from '@compliance/store';
import { inventoryItem } from '../admin/operations/inventory-item.ts';
import type { Merchant } from '../merchant.ts';
import { everyRow } from '../paging.ts';
import { answersOf } from './answer.ts';
import { productGoods } from './read/pages.ts';
import { CATALOG } from './words.ts';

/** What to look at anew, as webhooks name it. */
export type ProductRequest = { readonly productId: string } | { readonly inventoryItemId: string };

/** How a refresh is done. */
export interface RefreshOptions {
  readonly signal: AbortSignal;
  readonly now: number;
  /** The run that the variants are kept under, unless the whole catalog is being read: that run must not sweep them away. */
  readonly run: string;
}

/**
 * Reads a product again and answers its variants; what Shopify has no more is removed. Gives how many variants it has.
 *
 * @throws AdminFailed
 * @example await refreshProduct(merchant, { productId: 'gid://shopify/Product/1' }, { signal, now: Date.now(), run: job.id });
 */
export async function refreshProduct(
  merchant: Merchant,
  request: ProductRequest,
  options: RefreshOptions,
): Promise<number> {
  let count = 0;
  for (const id of await productsOf(merchant, request, options.signal)) count += await refresh(merchant, id, options);
  return count;
}

async function productsOf({ admin }: Merchant, request: ProductRequest, signal: AbortSignal): Promise<string[]> {
  if ('productId' in request) return [request.productId];
  const { inventoryItem: item } = await admin.run(inventoryItem, { id: request.inventoryItemId }, { signal });
  // With the item its variant is gone, and the product says so itself.
  return [...new Set(item?.variants?.nodes.map(({ product }) => product.id) ?? [])];
}

async function refresh({ admin, shop }: Merchant, productId: string, { signal, now, run }: RefreshOptions) {
  const goods = await productGoods(admin, productId, signal);
  if (!goods) {
    await shop.variants.remove({ productId });
    return 0;
  }
  await shop.variants.upsert(await runOf(shop, run), answersOf(goods, easternDate(now)));
  const seen = new Set(goods.map(({ variantId }) => variantId));
  await shop.variants.remove({ variantIds: (await variantsOf(shop, productId)).filter(id => !seen.has(id)) });
  return goods.length;
}

/** The run that is to be named with what is written now. */
export async function runOf(shop: Shop, own: string): Promise<string> {
  const whole = await shop.jobs.latest(CATALOG);
  return whole?.state === 'running' ? whole.id : own;
}

async function variantsOf(shop: Shop, productId: string): Promise<string[]> {
  const ids: string[] = [];
  const list = (cursor: string | null) => shop.variants.list({ productId, limit: 1000, cursor });
  for await (const { variantId } of everyRow(list)) ids.push(variantId);
  return ids;
}
