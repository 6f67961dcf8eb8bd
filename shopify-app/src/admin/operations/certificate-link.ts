import { z } from 'zod';
import { defineAdminOperation } from './define-admin-operation.ts';

/**
 * Gets the certificate file that a product links to and the digest of that link. The result is null if the product or
 * the link doesn't exist.
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
