import { z } from 'zod';
import { defineOperation } from '../admin.ts';

/** A file to be named by a product, if the product still names what has this digest; null when it named none. */
export interface CertificateLinkInput {
  readonly productId: string;
  readonly fileId: string;
  readonly compareDigest: string | null;
}

/** Names a file as the certificate of a product. Done twice, the second says that the first has changed it. */
export const certificateLinkSet = defineOperation<CertificateLinkInput>()(
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
