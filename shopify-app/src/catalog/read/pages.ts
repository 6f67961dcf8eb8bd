import type { Admin } from '../../admin/admin.ts';
import { catalogPage } from '../../admin/operations/catalog-page.ts';
import { catalogProduct } from '../../admin/operations/catalog-product.ts';
import type { VariantNode } from '../../admin/operations/catalog-variant.ts';
import { inventoryItem } from '../../admin/operations/inventory-item.ts';
import { type Goods, goodsOf, usCodeOf } from '../goods.ts';

/** All variants of the shop, a page at a time. @throws AdminFailed */
export async function* catalogPages(admin: Admin, signal: AbortSignal): AsyncGenerator<readonly Goods[]> {
  let after: string | null = null;
  do {
    const { productVariants }: Answer<typeof catalogPage> = await admin.run(catalogPage, { after }, { signal });
    yield await withCodes(admin, productVariants.nodes, signal);
    after = next(productVariants.pageInfo);
  } while (after !== null);
}

/** All variants of a product; null when Shopify has it no more. @throws AdminFailed */
export async function productGoods(admin: Admin, id: string, signal: AbortSignal): Promise<readonly Goods[] | null> {
  const goods: Goods[] = [];
  let after: string | null = null;
  do {
    const { product }: Answer<typeof catalogProduct> = await admin.run(catalogProduct, { id, after }, { signal });
    if (!product) return null;
    goods.push(...(await withCodes(admin, product.variants.nodes, signal)));
    after = next(product.variants.pageInfo);
  } while (after !== null);
  return goods;
}

type Answer<Operation> = Operation extends { answer: { _output: infer Output } } ? Output : never;

const next = ({ hasNextPage, endCursor }: { hasNextPage: boolean; endCursor: string | null }): string | null =>
  hasNextPage ? endCursor : null;

async function withCodes(admin: Admin, nodes: readonly VariantNode[], signal: AbortSignal): Promise<Goods[]> {
  const goods: Goods[] = [];
  for (const node of nodes) goods.push(goodsOf(node, await usCode(admin, node.inventoryItem, signal)));
  return goods;
}

/** An item with codes for more countries than fit on a page is asked for all of them. */
async function usCode(admin: Admin, item: VariantNode['inventoryItem'], signal: AbortSignal): Promise<string | null> {
  const { nodes, pageInfo } = item.countryHarmonizedSystemCodes;
  const code = usCodeOf(nodes);
  if (code !== null || !pageInfo.hasNextPage) return code;
  const { inventoryItem: all } = await admin.run(inventoryItem, { id: item.id }, { signal });
  return usCodeOf(all?.countryHarmonizedSystemCodes.nodes ?? []);
}
