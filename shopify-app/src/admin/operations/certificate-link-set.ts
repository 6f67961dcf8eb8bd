import { z } from 'zod';
import { defineAdminOperation } from './define-admin-operation.ts';

/**
 * Certificate file to link to a product. Shopify sets the link only if the current link still has the given digest. If
 * the digest is null, Shopify sets the link only if the product doesn't have one yet.
 */
export interface CertificateLinkInput {
  readonly productId: string;
  readonly fileId: string;
  /** URL of the page that shows the certificate's current status. */
  readonly verificationUrl: string;
  readonly compareDigest: string | null;
}

/**
 * Links a certificate file to a product, and sets the verification URL. Themes can show both. If the mutation runs
 * twice, the second call reports that the value has changed.
 */
export const certificateLinkSet = defineAdminOperation<CertificateLinkInput>()(
  `#graphql
  mutation CertificateLinkSet(
    $productId: ID!
    $fileId: String!
    $verificationUrl: String!
    $compareDigest: String
  ) {
    metafieldsSet(metafields: [{
      ownerId: $productId
      namespace: "$app:gcc"
      key: "certificate"
      type: "file_reference"
      value: $fileId
      compareDigest: $compareDigest
    }, {
      ownerId: $productId
      namespace: "$app:gcc"
      key: "verification"
      type: "url"
      value: $verificationUrl
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
