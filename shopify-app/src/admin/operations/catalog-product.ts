import { z } from 'zod';
import { defineOperation } from '../admin.ts';
import { pageInfo, VARIANT_FIELDS, variantNode } from './catalog-variant.ts';

/** A page of the variants of one product; null when Shopify has it no more. */
export const catalogProduct = defineOperation<{ readonly id: string; readonly after: string | null }>()(
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
