import { z } from 'zod';
import { defineAdminOperation } from './define-admin-operation.ts';

/**
 * File to link to a product. Shopify sets the link only if the current link still has the given digest. A null digest means
 * that the product must not be linked to a certificate yet.
 */
export interface CertificateLinkInput {
  readonly productId: string;
  readonly fileId: string;
  readonly compareDigest: string | null;
}

/**
 * Links a file to a product as its certificate. If the mutation runs twice, the second call reports that the value has
 * changed.
 */
export const certificateLinkSet = defineAdminOperation<CertificateLinkInput>()(
  `#graphql
  mutation CertificateLinkSet($productId: ID!, $fileId: String!, $compareDigest: String) {
    metafieldsSet(metafields: [{
      ownerId: $productId
      namespace: "$app:gcc"
      key: "certificate"
      type: "file_reference"
      value: $fileId
      compareDigest: $compareDigest
    }]) {
      userErrors { code message }
    }
  }`,
  z.object({
    metafieldsSet: z
      .object({
        userErrors: z.array(z.object({ code: z.string().nullable(), message: z.string() })),
      })
      .nullable(),
  }),
);
