import { z } from 'zod';
import { defineOperation } from '../admin.ts';

/**
 * What the whole catalog is asked with, at once: a line for each variant, and one for each of its codes for a country, which
 * names its parent.
 */
export const CATALOG_QUERY = `{
  productVariants {
    edges {
      node {
        id
        sku
        title
        product { id title }
        inventoryItem {
          id
          harmonizedSystemCode
          countryCodeOfOrigin
          countryHarmonizedSystemCodes { edges { node { countryCode harmonizedSystemCode } } }
        }
      }
    }
  }
}`;

/** Lets Shopify write the answer of a query into a file, however long it is. */
export const bulkStart = defineOperation<{ readonly query: string }>()(
  `#graphql
  mutation BulkStart($query: String!) {
    bulkOperationRunQuery(query: $query, groupObjects: false) {
      bulkOperation { id }
      userErrors { field message }
    }
  }`,
  z.object({
    bulkOperationRunQuery: z
      .object({
        bulkOperation: z.object({ id: z.string() }).nullable(),
        userErrors: z.array(z.object({ message: z.string() })),
      })
      .nullable(),
  }),
);
