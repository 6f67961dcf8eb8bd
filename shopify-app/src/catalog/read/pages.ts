import type { Admin } from '../../admin/admin.ts';
import { catalogPage } from '../../admin/operations/catalog-page.ts';
import { catalogProduct } from '../../admin/operations/catalog-product.ts';
import type { VariantNode } from '../../admin/operations/catalog-variant.ts';
import { inventoryItem } from '../../admin/operations/inventory-item.ts';
import { type CatalogItem, toCatalogItem, usCodeOf } from '../model/catalog-item.ts';

/** Iterates over the shop's variants, one page at a time. @throws AdminApiError if an Admin API call fails */
export async function* catalogPages(admin: Admin, signal: AbortSignal): AsyncGenerator<readonly CatalogItem[]> {
  let after: string | null = null;
  do {
    const { productVariants }: ResponseOf<typeof catalogPage> = await admin.run(catalogPage, { after }, { signal });
    yield await withCodes(admin, productVariants.nodes, signal);
    after = next(productVariants.pageInfo);
  } while (after !== null);
}

/**
 * Returns all variants of a product, or null if the product no longer exists in Shopify.
 *
 * @throws AdminApiError if an Admin API call fails
 */
export async function fetchProductItems(
  admin: Admin,
  id: string,
  signal: AbortSignal,
): Promise<readonly CatalogItem[] | null> {
  const items: CatalogItem[] = [];
  let after: string | null = null;
  do {
    const { product }: ResponseOf<typeof catalogProduct> = await admin.run(catalogProduct, { id, after }, { signal });
    if (!product) return null;
    items.push(...(await withCodes(admin, product.variants.nodes, signal)));
    after = next(product.variants.pageInfo);
  } while (after !== null);
  return items;
}

type ResponseOf<Operation> = Operation extends { response: { _output: infer Output } } ? Output : never;

const next = ({ hasNextPage, endCursor }: { hasNextPage: boolean; endCursor: string | null }): string | null =>
  hasNextPage ? endCursor : null;

async function withCodes(admin: Admin, nodes: readonly VariantNode[], signal: AbortSignal): Promise<CatalogItem[]> {
  const items: CatalogItem[] = [];
  for (const node of nodes) items.push(toCatalogItem(node, await usCode(admin, node.inventoryItem, signal)));
  return items;
}

/**
 * Returns the item's HTS code for the United States, or null if the item doesn't have one. If the code isn't on the
 * first page of country-specific codes, queries all of the item's codes.
 */
async function usCode(admin: Admin, item: VariantNode['inventoryItem'], signal: AbortSignal): Promise<string | null> {
  const { nodes, pageInfo } = item.countryHarmonizedSystemCodes;
  const code = usCodeOf(nodes);
  if (code !== null || !pageInfo.hasNextPage) return code;
  const { inventoryItem: all } = await admin.run(inventoryItem, { id: item.id }, { signal });
  return usCodeOf(all?.countryHarmonizedSystemCodes.nodes ?? []);
}
