import { z } from 'zod';
import { pageInfo, VARIANT_FIELDS, variantNode } from './catalog-variant.ts';
import { defineAdminOperation } from './define-admin-operation.ts';

/** Gets a page of the shop's variants. The page size of 50 keeps the query cost below Shopify's limit. */
export const catalogPage = defineAdminOperation<{ readonly after: string | null }>()(
  `#graphql
  query CatalogPage($after: String) {
    productVariants(first: 50, after: $after, sortKey: ID) {
      nodes {${VARIANT_FIELDS}
      }
      pageInfo { hasNextPage endCursor }
    }
  }`,
  z.object({ productVariants: z.object({ nodes: z.array(variantNode), pageInfo }) }),
);
