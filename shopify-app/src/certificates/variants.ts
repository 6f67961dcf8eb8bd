import { AdminApiError } from '../admin/admin.ts';
import type { Merchant } from '../admin/merchant.ts';
import { variantsForCertificate } from '../admin/operations/variants-for-certificate.ts';
import { gtinIn, stripControlCharacters } from './prefill.ts';

/** Maximum number of variants on a certificate. */
const MAX_VARIANTS = 200;

/** Title that Shopify gives to the only variant of a product without options. */
const NO_OPTIONS = 'Default Title';

/** Variant in a certificate request. A certificate can cover a variant only if the variant has a SKU or a GTIN. */
export interface VariantChoice {
  readonly name?: string;
  readonly sku?: string;
  readonly gtin?: string;
}

/** A product's variants. */
export interface VariantChoices {
  readonly variants: readonly VariantChoice[];
  /** Whether the product has more variants than a certificate can cover. */
  readonly isCut: boolean;
  /** Whether the request to Shopify failed and the variants are from the stored catalog, which has no GTINs. */
  readonly isFromCatalog: boolean;
}

/**
 * Returns the variants that a product's certificate can cover, from Shopify or, if the request fails, from the stored
 * catalog.
 *
 * @returns the variants, or null if neither Shopify nor the catalog has the product
 */
export async function variantChoices(merchant: Merchant, productId: string): Promise<VariantChoices | null> {
  try {
    const { product } = await merchant.admin.run(variantsForCertificate, { id: productId });
    if (!product) return null;
    const { nodes, pageInfo } = product.variants;
    return { variants: nodes.map(choiceOf), isCut: pageInfo.hasNextPage, isFromCatalog: false };
  } catch (error) {
    if (!(error instanceof AdminApiError)) throw error;
  }
  const { rows, next } = await merchant.shop.variants.list({ productId, limit: MAX_VARIANTS });
  if (rows.length === 0) return null;
  const variants = rows.map(({ variantTitle, sku }) => choiceOf({ title: variantTitle, sku, barcode: null }));
  return { variants, isCut: next !== null, isFromCatalog: true };
}

function choiceOf({
  title,
  sku,
  barcode,
}: {
  readonly title: string;
  readonly sku: string | null;
  readonly barcode: string | null;
}): VariantChoice {
  const name = title === NO_OPTIONS ? '' : stripControlCharacters(title, 250);
  const code = stripControlCharacters(sku ?? '', 100);
  const gtin = gtinIn(barcode);
  return { ...(name && { name }), ...(code && { sku: code }), ...(gtin && { gtin }) };
}
