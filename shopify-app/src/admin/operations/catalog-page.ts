import { z } from 'zod';
import { defineOperation } from '../admin.ts';
import { pageInfo, VARIANT_FIELDS, variantNode } from './catalog-variant.ts';

/** A page of all variants of the shop. Fifty keep the cost under what Shopify lets one question cost. */
export const catalogPage = defineOperation<{ readonly after: string | null }>()(
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
