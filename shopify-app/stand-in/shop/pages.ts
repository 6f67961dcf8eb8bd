import type { StandInShop } from './shop.ts';

/** A page of a connection: what follows the cursor, at most `first`; all of it without one, as bulk operations ask. */
export function connection<Item>(items: readonly Item[], { first, after }: { first?: number; after?: string }) {
  const from = after ? Number(Buffer.from(after, 'base64').toString()) : 0;
  const nodes = items.slice(from, first === undefined ? undefined : from + first);
  const end = from + nodes.length;
  return {
    nodes,
    edges: nodes.map(node => ({ node })),
    pageInfo: { hasNextPage: end < items.length, endCursor: Buffer.from(String(end)).toString('base64') },
  };
}

/** The catalog in Shopify's terms. Fields that are functions are called by graphql-js with the arguments of the field. */
export function productNode(shop: StandInShop, product: StandInShop['products'][number]): Record<string, unknown> {
  const { id, title, handle, vendor, productType, status } = product;
  return {
    __typename: 'Product',
    ...{ id, title, handle, vendor, productType, status },
    category: null,
    featuredMedia: null,
    onlineStoreUrl: status === 'ACTIVE' ? `https://${shop.host}/products/${handle}` : null,
    variants: (args: { first?: number; after?: string }) =>
      connection(
        product.variants.map(variant => variantNode(shop, product, variant)),
        args,
      ),
    metafield: ({ namespace, key }: { namespace?: string; key: string }) =>
      metafieldNode(shop, id, namespace ?? '', key),
  };
}

export function variantNode(
  shop: StandInShop,
  product: StandInShop['products'][number],
  variant: StandInShop['products'][number]['variants'][number],
): Record<string, unknown> {
  const { id, title, sku, price } = variant;
  return {
    __typename: 'ProductVariant',
    ...{ id, title, sku, price },
    barcode: null,
    product: () => productNode(shop, product),
    inventoryItem: () => inventoryNode(variant),
  };
}

export function inventoryNode(variant: StandInShop['products'][number]['variants'][number]): Record<string, unknown> {
  return {
    __typename: 'InventoryItem',
    id: variant.inventoryItemId,
    harmonizedSystemCode: variant.harmonizedSystemCode,
    countryCodeOfOrigin: variant.origin,
    provinceCodeOfOrigin: null,
    requiresShipping: true,
    countryHarmonizedSystemCodes: (args: { first?: number }) => connection(variant.countryCodes, args),
    measurement: { id: 'gid://shopify/InventoryItemMeasurement/1', weight: null },
  };
}

export function metafieldNode(shop: StandInShop, owner: string, namespace: string, key: string) {
  const found = shop.metafields.get(`${owner} ${namespace}.${key}`);
  if (!found) return null;
  const compareDigest = Buffer.from(found.value).toString('base64url').slice(-43);
  return { __typename: 'Metafield', ...found, namespace, key, compareDigest };
}
