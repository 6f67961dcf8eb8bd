import { z } from 'zod';
import { pageInfo, VARIANT_FIELDS, variantNode } from './catalog-variant.ts';
import { defineAdminOperation } from './define-admin-operation.ts';

/** Gets a page of a product's variants. The result is null if the product no longer exists in Shopify. */
export const catalogProduct = defineAdminOperation<{ readonly id: string; readonly after: string | null }>()(
  `#graphql
  query CatalogProduct($id: ID!, $after: String) {
    product(id: $id) {
      variants(first: 50, after: $after) {
        nodes {${VARIANT_FIELDS}
        }
        pageInfo { hasNextPage endCursor }
      }
    }
  }`,
  z.object({
    product: z.object({ variants: z.object({ nodes: z.array(variantNode), pageInfo }) }).nullable(),
  }),
);
