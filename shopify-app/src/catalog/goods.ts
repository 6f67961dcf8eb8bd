import type { NewVariant } from '@compliance/store';
import type { VariantNode } from '../admin/operations/catalog-variant.ts';

/** Which code of Shopify's counts: the one for the United States where there is one, else the one for any country. */
export type CodeFor = 'US' | 'any';

/** A variant with its code, before the lists were asked. */
export interface Goods
  extends Pick<NewVariant, 'variantId' | 'productId' | 'productTitle' | 'variantTitle' | 'sku' | 'htsCode' | 'origin'> {
  readonly inventoryItemId: string;
  readonly codeFor: CodeFor;
}

/** What a line or a node says of a variant, its codes for countries aside. */
type Told = Omit<VariantNode, 'inventoryItem'> & {
  readonly inventoryItem: Omit<VariantNode['inventoryItem'], 'countryHarmonizedSystemCodes'>;
};

/**
 * A variant as Shopify tells it, with its code for the United States or null.
 *
 * @example goodsOf(node, usCodeOf(node.inventoryItem.countryHarmonizedSystemCodes.nodes)).htsCode // '7318152061'
 */
export function goodsOf({ id, sku, title, product, inventoryItem }: Told, usCode: string | null): Goods {
  return {
    ...{ variantId: id, productId: product.id, productTitle: product.title, variantTitle: title, sku },
    htsCode: usCode ?? text(inventoryItem.harmonizedSystemCode),
    origin: text(inventoryItem.countryCodeOfOrigin),
    inventoryItemId: inventoryItem.id,
    codeFor: usCode === null ? 'any' : 'US',
  };
}

/** The code for the United States among the codes for countries, or null. */
export const usCodeOf = (
  codes: readonly { readonly countryCode: string; readonly harmonizedSystemCode: string }[],
): string | null => text(codes.find(({ countryCode }) => countryCode === 'US')?.harmonizedSystemCode ?? null);

const text = (value: string | null): string | null => value?.trim() || null;
