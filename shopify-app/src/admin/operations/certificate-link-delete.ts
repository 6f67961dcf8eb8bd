import { z } from 'zod';
import { defineAdminOperation } from './define-admin-operation.ts';

/**
 * Removes a product's certificate link and verification URL. Removing a link that doesn't exist has no effect.
 */
export const certificateLinkDelete = defineAdminOperation<{ readonly productId: string }>()(
  `#graphql
  mutation CertificateLinkDelete($productId: ID!) {
    metafieldsDelete(metafields: [
      { ownerId: $productId, namespace: "$app:gcc", key: "certificate" }
      { ownerId: $productId, namespace: "$app:gcc", key: "verification" }
    ]) {
      userErrors { message }
    }
  }`,
  z.object({
    metafieldsDelete: z.object({ userErrors: z.array(z.object({ message: z.string() })) }).nullable(),
  }),
);
