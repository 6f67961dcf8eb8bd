import { AdminFailed } from '../admin/admin.ts';
import { productForCertificate } from '../admin/operations/product-for-certificate.ts';
import type { Merchant } from '../merchant.ts';
import type { Fields } from './draft.ts';

/** What is known of a product, wherever from. */
interface Known {
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
 * What a certificate of a product can begin with. The maker is a suggestion: a vendor often is somebody else. What differs
 * between variants is left open.
 *
 * @returns null when neither Shopify nor the catalog has the product
 */
export async function prefill(merchant: Merchant, productId: string): Promise<Fields | null> {
  const known = (await fromShopify(merchant, productId)) ?? (await fromCatalog(merchant, productId));
  if (!known) return null;
  const sku = same(known.variants.map(variant => variant.sku));
  const code = same(known.variants.map(variant => variant.barcode)) ?? '';
  const origin = same(known.variants.map(variant => variant.origin));
  const country = origin && COUNTRIES.of(origin);
  return {
    product_info: {
      name: clean(known.title, 250),
      ...(sku && { sku: clean(sku, 100) }),
      ...(/^(\d{8}|\d{12,14})$/.test(code) && { gtin: code }),
      ...(country && { place_of_manufacture: country }),
    },
    manufacturer: { ...(known.vendor && { name: clean(known.vendor, 250) }), ...(origin && { country: origin }) },
  };
}

async function fromShopify({ admin }: Merchant, id: string): Promise<Known | null> {
  try {
    const { product } = await admin.run(productForCertificate, { id });
    if (!product) return null;
    const variants = product.variants.nodes.map(({ inventoryItem, ...variant }) => ({
      ...variant,
      origin: inventoryItem.countryCodeOfOrigin,
    }));
    return { title: product.title, vendor: product.vendor, variants };
  } catch (error) {
    if (error instanceof AdminFailed) return null;
    throw error;
  }
}

async function fromCatalog({ shop }: Merchant, productId: string): Promise<Known | null> {
  const { rows } = await shop.variants.list({ productId, limit: 50 });
  if (!rows[0]) return null;
  return {
    title: rows[0].productTitle,
    vendor: '',
    variants: rows.map(({ sku, origin }) => ({ sku, origin, barcode: null })),
  };
}

/** The one value that all have. */
function same(values: readonly (string | null)[]): string | null {
  const different = new Set(values);
  return different.size === 1 ? (values[0] ?? null) : null;
}

/** Without what no certificate may hold and nobody sees: controls and signs that turn the direction of writing. */
const clean = (text: string, limit: number): string =>
  [...text.replace(/[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069\ufff9-\ufffb]/gu, '').trim()].slice(0, limit).join('');
