import { z } from 'zod';

/**
 * Variant fields that the catalog stores. Most variants have only a few country-specific codes. If a variant has more
 * than ten and the first ten don't include the code for the United States, the app reads all of them from the inventory
 * item.
 */
export const VARIANT_FIELDS = `
          id
          sku
          title
          price
          product { id title productType featuredMedia { preview { image { url(transform: { maxWidth: 80, maxHeight: 80 }) } } } }
          inventoryItem {
            id
            harmonizedSystemCode
            countryCodeOfOrigin
            countryHarmonizedSystemCodes(first: 10) {
              nodes { countryCode harmonizedSystemCode }
              pageInfo { hasNextPage }
            }
          }`;

/** HTS code for one destination country. */
export const countryCode = z.object({ countryCode: z.string(), harmonizedSystemCode: z.string() });

export const variantNode = z.object({
  id: z.string(),
  sku: z.string().nullable(),
  title: z.string(),
  price: z.string(),
  product: z.object({
    id: z.string(),
    title: z.string(),
    productType: z.string(),
    featuredMedia: z
      .object({ preview: z.object({ image: z.object({ url: z.string() }).nullable() }).nullable() })
      .nullable(),
  }),
  inventoryItem: z.object({
    id: z.string(),
    harmonizedSystemCode: z.string().nullable(),
    countryCodeOfOrigin: z.string().nullable(),
    countryHarmonizedSystemCodes: z.object({
      nodes: z.array(countryCode),
      pageInfo: z.object({ hasNextPage: z.boolean() }),
    }),
  }),
});

/** Variant as returned by the Admin API. */
export type VariantNode = z.infer<typeof variantNode>;

/** Pagination information for a GraphQL connection. */
export const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() });
