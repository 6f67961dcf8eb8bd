import { HOSTS } from '../../hosts.ts';
import { type FakeProduct, type FakeShop, type FakeVariant, gid, numberOf } from '../../shop/shop.ts';
import { connection, type Paging } from '../connection.ts';
import { type Searchable, searchItems } from '../search.ts';
import { metafieldNode, namespaceOf } from './metafields.ts';
import { FIXED_DATE, plannedErrors, type ResolverContext, type UserError } from './resolver-context.ts';

type SearchArguments = Paging & { query?: string };
type Owned = { product: FakeProduct; variant: FakeVariant };

const PRODUCTS: Searchable<FakeProduct> = {
  id: ({ id }) => numberOf(id),
  status: ({ status }) => status,
  title: ({ title }) => title,
  vendor: ({ vendor }) => vendor,
};

const VARIANTS: Searchable<Owned> = {
  id: ({ variant }) => numberOf(variant.id),
  sku: ({ variant }) => variant.sku,
  product_id: ({ product }) => numberOf(product.id),
  product_status: ({ product }) => product.status,
};

/** Resolves products, their variants, and the variants' HTS codes and origins. */
export function catalogFields(context: ResolverContext) {
  const { shop } = context;
  const variants = (query?: string) =>
    searchItems(
      shop.products.flatMap(product => product.variants.map(variant => ({ product, variant }))),
      query,
      VARIANTS,
    );
  const counted = (count: number, limit: number | null) =>
    limit !== null && count > limit ? { count: limit, precision: 'AT_LEAST' } : { count, precision: 'EXACT' };

  return {
    products: ({ query, ...paging }: SearchArguments) =>
      connection(
        searchItems(shop.products, query, PRODUCTS).map(product => productNode(shop, product)),
        paging,
      ),
    product: ({ id }: { id: string }) => {
      const product = shop.products.find(one => one.id === id);
      return product ? productNode(shop, product) : null;
    },
    productVariants: ({ query, ...paging }: SearchArguments) =>
      connection(
        variants(query).map(({ product, variant }) => variantNode(shop, product, variant)),
        paging,
      ),
    productVariant: ({ id }: { id: string }) => {
      const found = variants().find(({ variant }) => variant.id === id);
      return found ? variantNode(shop, found.product, found.variant) : null;
    },
    inventoryItem: ({ id }: { id: string }) => {
      const found = variants().find(({ variant }) => variant.inventoryItemId === id);
      if (!found) return null;
      const own = (paging: Paging) => connection([variantNode(shop, found.product, found.variant)], paging);
      return { ...inventoryNode(found.variant), variants: own };
    },
    productsCount: ({ limit = null, query }: { limit?: number | null; query?: string }) =>
      counted(searchItems(shop.products, query, PRODUCTS).length, limit),
    productVariantsCount: ({ limit = null, query }: { limit?: number | null; query?: string }) =>
      counted(variants(query).length, limit),
    inventoryItemUpdate: ({ id, input }: { id: string; input: InventoryInput }) => {
      const found = variants().find(({ variant }) => variant.inventoryItemId === id);
      if (!found) {
        return {
          inventoryItem: null,
          userErrors: [{ field: ['id'], message: 'The inventory item could not be found' }],
        };
      }
      const { variant } = found;
      const userErrors = [...plannedErrors(context), ...errorsOf(input)];
      if (userErrors.length > 0) return { inventoryItem: null, userErrors };
      if (input.harmonizedSystemCode !== undefined) variant.harmonizedSystemCode = input.harmonizedSystemCode;
      if (input.countryCodeOfOrigin !== undefined) variant.origin = input.countryCodeOfOrigin;
      if (input.countryHarmonizedSystemCodes) variant.countryCodes = [...input.countryHarmonizedSystemCodes];
      return { inventoryItem: inventoryNode(variant), userErrors };
    },
  };
}

interface InventoryInput {
  readonly harmonizedSystemCode?: string | null;
  readonly countryCodeOfOrigin?: string | null;
  readonly countryHarmonizedSystemCodes?: readonly { countryCode: string; harmonizedSystemCode: string }[];
}

/** Validates HTS codes. Shopify accepts only codes with 6 to 13 digits. */
function errorsOf({ harmonizedSystemCode, countryHarmonizedSystemCodes }: InventoryInput): UserError[] {
  const good = (code: string) => /^\d{6,13}$/.test(code);
  const errors: UserError[] = [];
  if (typeof harmonizedSystemCode === 'string' && !good(harmonizedSystemCode)) {
    errors.push({
      field: ['input', 'harmonizedSystemCode'],
      message: 'Harmonized system code must be a number between 6 and 13 digits',
    });
  }
  countryHarmonizedSystemCodes?.forEach((entry, index) => {
    if (good(entry.harmonizedSystemCode)) return;
    errors.push({
      field: ['input', 'countryHarmonizedSystemCodes', String(index), 'harmonizedSystemCode'],
      message: 'Harmonized system code must be a number between 6 and 13 digits',
    });
  });
  return errors;
}

/**
 * Returns a product as an Admin API object. A field with arguments is a function, which `graphql-js` calls with the
 * arguments.
 */
export function productNode(shop: FakeShop, product: FakeProduct): Record<string, unknown> {
  const { id, title, handle, vendor, productType, status } = product;
  return {
    __typename: 'Product',
    ...{ id, title, handle, vendor, productType, status },
    category: null,
    updatedAt: FIXED_DATE,
    featuredMedia: product.hasImage ? mediaNode(shop, product) : null,
    onlineStoreUrl: status === 'ACTIVE' ? `https://${shop.host}/products/${handle}` : null,
    variants: (paging: Paging) =>
      connection(
        product.variants.map(variant => variantNode(shop, product, variant)),
        paging,
      ),
    metafield: ({ namespace, key }: { namespace?: string; key: string }) =>
      metafieldNode(shop, id, namespaceOf(namespace), key),
  };
}

/** Returns a product's image as a media object whose URL contains the requested size. */
function mediaNode(shop: FakeShop, { id, title }: FakeProduct): Record<string, unknown> {
  const address = `https://${HOSTS.cdn}/s/files/1/${shop.number}/products/${numberOf(id)}.svg`;
  const url = ({ transform }: { transform?: { maxWidth?: number; maxHeight?: number } }) =>
    `${address}?width=${transform?.maxWidth ?? 800}&height=${transform?.maxHeight ?? 800}`;
  return {
    __typename: 'MediaImage',
    id: gid('MediaImage', numberOf(id)),
    preview: { image: { id: gid('ImageSource', numberOf(id)), altText: title, url } },
  };
}

function variantNode(shop: FakeShop, product: FakeProduct, variant: FakeVariant): Record<string, unknown> {
  const { id, title, sku, price } = variant;
  return {
    __typename: 'ProductVariant',
    ...{ id, title, sku, price },
    barcode: variant.barcode ?? null,
    product: () => productNode(shop, product),
    inventoryItem: () => inventoryNode(variant),
  };
}

function inventoryNode(variant: FakeVariant): Record<string, unknown> {
  return {
    __typename: 'InventoryItem',
    id: variant.inventoryItemId,
    harmonizedSystemCode: variant.harmonizedSystemCode,
    countryCodeOfOrigin: variant.origin,
    provinceCodeOfOrigin: null,
    requiresShipping: true,
    countryHarmonizedSystemCodes: (paging: Paging) => connection(variant.countryCodes, paging),
    measurement: { id: gid('InventoryItemMeasurement', numberOf(variant.inventoryItemId)), weight: null },
  };
}
