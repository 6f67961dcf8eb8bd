import type { NewVariant } from '@compliance/store/shop';
import type { VariantNode } from '../../admin/operations/catalog-variant.ts';

/**
 * Source of the code that applies to a variant. The code for the United States takes precedence over the general code.
 */
export type CodeFor = 'US' | 'any';

/** Variant with its code, before classification. */
export interface CatalogItem
  extends Pick<NewVariant, 'variantId' | 'productId' | 'productTitle' | 'variantTitle' | 'sku' | 'htsCode' | 'origin'> {
  /** Product type as entered by the merchant, or null. */
  readonly productType: string | null;
  /** URL of a small image of the product on Shopify's CDN, or null. */
  readonly imageUrl: string | null;
  /** Selling price in the shop's currency, or null if the app hasn't read it yet. */
  readonly price: string | null;
  readonly inventoryItemId: string;
  readonly codeFor: CodeFor;
}

/** Variant from a bulk file or query, without its country-specific codes. */
type VariantPayload = Omit<VariantNode, 'inventoryItem'> & {
  readonly inventoryItem: Omit<VariantNode['inventoryItem'], 'countryHarmonizedSystemCodes'>;
};

/**
 * Converts a Shopify variant and its code for the United States (or null) to a catalog item.
 *
 * @example toCatalogItem(node, usCodeOf(node.inventoryItem.countryHarmonizedSystemCodes.nodes)).htsCode // '7318152061'
 */
export function toCatalogItem(
  { id, sku, title, price, product, inventoryItem }: VariantPayload,
  usCode: string | null,
): CatalogItem {
  return {
    ...{ variantId: id, productId: product.id, productTitle: product.title, variantTitle: title, sku, price },
    productType: text(product.productType),
    imageUrl: cdnUrl(product.featuredMedia?.preview?.image?.url),
    htsCode: usCode ?? text(inventoryItem.harmonizedSystemCode),
    origin: text(inventoryItem.countryCodeOfOrigin),
    inventoryItemId: inventoryItem.id,
    codeFor: usCode === null ? 'any' : 'US',
  };
}

/** Returns the country-specific HTS code for the United States, or null if there isn't one. */
export const usCodeOf = (
  codes: readonly { readonly countryCode: string; readonly harmonizedSystemCode: string }[],
): string | null => text(codes.find(({ countryCode }) => countryCode === 'US')?.harmonizedSystemCode ?? null);

/**
 * Returns the URL of an image on Shopify's CDN, or null for any other URL, because pages load images only from the CDN.
 */
const cdnUrl = (url: string | undefined): string | null =>
  url !== undefined && url.length <= 1000 && URL.parse(url)?.origin === 'https://cdn.shopify.com' ? url : null;

const text = (value: string | null): string | null => value?.trim() || null;

/**
 * Returns the variant title, or null for a product's only variant. Shopify gives such a variant the same title in every
 * language.
 */
export const variantTitleOf = (title: string): string | null => (title === 'Default Title' ? null : title);
