import { z } from 'zod';
import { defineAdminOperation } from './define-admin-operation.ts';

/**
 * Bulk query for the whole catalog. The result file has one line per variant and one line per country-specific code.
 * Each code line contains its parent's ID.
 */
export const CATALOG_QUERY = `{
  productVariants {
    edges {
      node {
        id
        sku
        title
        price
        product { id title productType featuredMedia { preview { image { url(transform: { maxWidth: 80, maxHeight: 80 }) } } } }
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

/** Starts a bulk query. Shopify writes all results to one file, which can be any size. */
export const bulkStart = defineAdminOperation<{ readonly query: string }>()(
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
