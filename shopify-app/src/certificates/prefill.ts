import { AdminApiError } from '../admin/admin.ts';
import type { Merchant } from '../admin/merchant.ts';
import { productForCertificate } from '../admin/operations/product-for-certificate.ts';
import type { Fields } from './draft.ts';

/** Product data from Shopify or the stored catalog. */
interface ProductData {
  readonly title: string;
  readonly vendor: string;
  readonly variants: readonly {
    readonly sku: string | null;
    readonly barcode: string | null;
    readonly origin: string | null;
  }[];
}

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/**
 * Returns the initial fields of a product's certificate. The manufacturer is only a suggestion, because the vendor is
 * often a different company. Omits values that differ between variants.
 *
 * @returns the fields, or null if neither Shopify nor the catalog has the product
 */
export async function prefill(merchant: Merchant, productId: string): Promise<Fields | null> {
  const known = (await fromShopify(merchant, productId)) ?? (await fromCatalog(merchant, productId));
  return known && toFields(known);
}

/** Returns the initial fields of a product's certificate without calling Shopify. See `prefill`. */
export async function prefillFromCatalog(merchant: Merchant, productId: string): Promise<Fields | null> {
  const known = await fromCatalog(merchant, productId);
  return known && toFields(known);
}

function toFields(known: ProductData): Fields {
  const sku = sharedValue(known.variants.map(variant => variant.sku));
  const gtin = gtinIn(sharedValue(known.variants.map(variant => variant.barcode)));
  const origin = sharedValue(known.variants.map(variant => variant.origin));
  const country = origin && COUNTRIES.of(origin);
  return {
    product_info: {
      name: stripControlCharacters(known.title, 250),
      ...(sku && { sku: stripControlCharacters(sku, 100) }),
      ...(gtin && { gtin }),
      ...(country && { place_of_manufacture: country }),
    },
    manufacturer: {
      ...(known.vendor && { name: stripControlCharacters(known.vendor, 250) }),
      ...(origin && { country: origin }),
    },
  };
}

async function fromShopify({ admin }: Merchant, id: string): Promise<ProductData | null> {
  try {
    const { product } = await admin.run(productForCertificate, { id });
    if (!product) return null;
    const variants = product.variants.nodes.map(({ inventoryItem, ...variant }) => ({
      ...variant,
      origin: inventoryItem.countryCodeOfOrigin,
    }));
    return { title: product.title, vendor: product.vendor, variants };
  } catch (error) {
    if (error instanceof AdminApiError) return null;
    throw error;
  }
}

async function fromCatalog({ shop }: Merchant, productId: string): Promise<ProductData | null> {
  const { rows } = await shop.variants.list({ productId, limit: 50 });
  if (!rows[0]) return null;
  return {
    title: rows[0].productTitle,
    vendor: '',
    variants: rows.map(({ sku, origin }) => ({ sku, origin, barcode: null })),
  };
}

/** Returns the value that all entries share, or null if the values differ. */
function sharedValue(values: readonly (string | null)[]): string | null {
  const different = new Set(values);
  return different.size === 1 ? (values[0] ?? null) : null;
}

/**
 * Returns a Shopify `barcode` if it has the format of a GTIN, otherwise null. Merchants can store other codes in this
 * field.
 */
export const gtinIn = (barcode: string | null): string | null =>
  barcode !== null && /^(\d{8}|\d{12,14})$/.test(barcode) ? barcode : null;

/**
 * Removes invisible characters that certificates can't contain, such as control characters and bidirectional marks, and
 * truncates the text.
 *
 * @example stripControlCharacters('mug\u202e', 10) // 'mug'
 */
export const stripControlCharacters = (text: string, limit: number): string =>
  [...text.replace(/[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069\ufff9-\ufffb]/gu, '').trim()].slice(0, limit).join('');
