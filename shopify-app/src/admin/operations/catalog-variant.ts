import { z } from 'zod';

/** What the catalog reads of a variant. Codes for countries are few; when there are more, the item itself is asked for them. */
export const VARIANT_FIELDS = `
          id
          sku
          title
          product { id title }
          inventoryItem {
            id
            harmonizedSystemCode
            countryCodeOfOrigin
            countryHarmonizedSystemCodes(first: 10) {
              nodes { countryCode harmonizedSystemCode }
              pageInfo { hasNextPage }
            }
          }`;

/** A code that holds for one country of destination. */
export const countryCode = z.object({ countryCode: z.string(), harmonizedSystemCode: z.string() });

export const variantNode = z.object({
  id: z.string(),
  sku: z.string().nullable(),
  title: z.string(),
  product: z.object({ id: z.string(), title: z.string() }),
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

/** A variant as Shopify tells it. */
export type VariantNode = z.infer<typeof variantNode>;

/** Where a page of a list ends. */
export const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() });
