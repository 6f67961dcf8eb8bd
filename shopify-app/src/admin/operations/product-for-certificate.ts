import { z } from 'zod';
import { defineAdminOperation } from './define-admin-operation.ts';

/** Gets the product data used to prefill a certificate. */
export const productForCertificate = defineAdminOperation<{ id: string }>()(
  `#graphql
  query ProductForCertificate($id: ID!) {
    product(id: $id) {
      title
      vendor
      variants(first: 50) { nodes { sku barcode inventoryItem { countryCodeOfOrigin } } }
    }
  }`,
  z.object({
    product: z
      .object({
        title: z.string(),
        vendor: z.string(),
        variants: z.object({
          nodes: z.array(
            z.object({
              sku: z.string().nullable(),
              barcode: z.string().nullable(),
              inventoryItem: z.object({ countryCodeOfOrigin: z.string().nullable() }),
            }),
          ),
        }),
      })
      .nullable(),
  }),
);
