import { z } from 'zod';
import { defineOperation } from '../admin.ts';

/** The shop's oldest active products and where shoppers see them; null for one that is not in the online store. */
export const firstProducts = defineOperation()(
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
