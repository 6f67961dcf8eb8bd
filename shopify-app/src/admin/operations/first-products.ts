import { z } from 'zod';
import { defineAdminOperation } from './define-admin-operation.ts';

/**
 * Gets the storefront URLs of the shop's oldest active products. The URL is null if a product isn't published to the
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
