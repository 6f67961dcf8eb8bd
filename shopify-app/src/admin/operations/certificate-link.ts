import { z } from 'zod';
import { defineAdminOperation } from './define-admin-operation.ts';

/**
 * Gets the certificate file that a product links to and the digest of that link. The `product` field is null if the
 * product doesn't exist, and the `metafield` field is null if the product has no link.
 */
export const certificateLink = defineAdminOperation<{ readonly productId: string }>()(
  `#graphql
  query CertificateLink($productId: ID!) {
    product(id: $productId) {
      metafield(namespace: "$app:gcc", key: "certificate") { type value compareDigest }
    }
  }`,
  z.object({
    product: z
      .object({
        metafield: z.object({ type: z.string(), value: z.string(), compareDigest: z.string() }).nullable(),
      })
      .nullable(),
  }),
);
