import { easternDate } from '@compliance/core/tariff';
import type { Shop } from '@compliance/store/shop';
import type { Merchant } from '../../admin/merchant.ts';
import { inventoryItem } from '../../admin/operations/inventory-item.ts';
import { everyRow } from '../../lib/paging.ts';
import { classifyWithPauses } from '../classify-with-pauses.ts';
import { CATALOG } from '../model/job-types.ts';
import { summarizeRates } from '../model/rates.ts';
import { fetchProductItems } from './pages.ts';

/** Product to refresh, identified by the ID in a webhook. */
export type ProductRequest = { readonly productId: string } | { readonly inventoryItemId: string };

/** Options for refreshing a product. */
export interface RefreshOptions {
  readonly signal: AbortSignal;
  readonly now: number;
  /**
   * Run ID to store with the variants, such as a job ID. While a catalog read is in progress, the app stores the ID of
   * that read instead, so that the read doesn't remove these variants.
   */
  readonly run: string;
}

/**
 * Rereads a product, classifies its variants, and removes variants that no longer exist in Shopify. Returns the number
 * of variants.
 *
 * @throws AdminApiError if an Admin API call fails
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
  // If an inventory item was deleted, its variant was deleted too, and a product webhook reports that change.
  return [...new Set(item?.variants?.nodes.map(({ product }) => product.id) ?? [])];
}

async function refresh({ admin, shop, dataset }: Merchant, productId: string, { signal, now, run }: RefreshOptions) {
  const items = await fetchProductItems(admin, productId, signal);
  if (!items) {
    await shop.variants.remove({ productId });
    return 0;
  }
  await shop.variants.upsert(await runOf(shop, run), await classifyWithPauses(items, easternDate(now), dataset()), {
    summarize: summarizeRates,
  });
  const seen = new Set(items.map(({ variantId }) => variantId));
  await shop.variants.remove({ variantIds: (await variantsOf(shop, productId)).filter(id => !seen.has(id)) });
  return items.length;
}

/**
 * Returns the run ID to store with variants: the ID of the current catalog read, or the caller's ID if no read is
 * running.
 */
export async function runOf(shop: Shop, own: string): Promise<string> {
  const catalogRead = await shop.jobs.latest(CATALOG);
  return catalogRead?.state === 'running' ? catalogRead.id : own;
}

async function variantsOf(shop: Shop, productId: string): Promise<string[]> {
  const ids: string[] = [];
  const list = (cursor: string | null) => shop.variants.list({ productId, limit: 1000, cursor });
  for await (const { variantId } of everyRow(list)) ids.push(variantId);
  return ids;
}
