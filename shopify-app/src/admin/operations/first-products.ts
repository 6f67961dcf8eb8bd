import { z } from 'zod';
import { defineAdminOperation } from './define-admin-operation.ts';

/**
 * Gets the shop's oldest active products and their storefront URLs. The URL is null for a product that isn't in the
 * online store.
 */
export const firstProducts = defineAdminOperation()(
  `#graphql
  query FirstProducts {
    products(first: 20, query: "status:active", sortKey: ID) {
      edges { node { onlineStoreUrl } }
    }
  }`,
  z.object({
    products: z.object({ edges: z.array(z.object({ node: z.object({ onlineStoreUrl: z.string().nullable() }) })) }),
  }),
);
