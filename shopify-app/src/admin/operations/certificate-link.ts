import { z } from 'zod';
import { defineOperation } from '../admin.ts';

/** Which file a product names as its certificate, and the digest of that; null for what is not there. */
export const certificateLink = defineOperation<{ readonly productId: string }>()(
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
