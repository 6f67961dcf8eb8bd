import { z } from 'zod';
import { defineAdminOperation } from './define-admin-operation.ts';

/** Gets the titles, SKUs, and barcodes of a product's first 200 variants (the maximum for a certificate). */
export const variantsForCertificate = defineAdminOperation<{ id: string }>()(
  `#graphql
  query VariantsForCertificate($id: ID!) {
    product(id: $id) {
      variants(first: 200) {
        nodes { title sku barcode }
        pageInfo { hasNextPage }
      }
    }
  }`,
  z.object({
    product: z
      .object({
        variants: z.object({
          nodes: z.array(z.object({ title: z.string(), sku: z.string().nullable(), barcode: z.string().nullable() })),
          pageInfo: z.object({ hasNextPage: z.boolean() }),
        }),
      })
      .nullable(),
  }),
);
