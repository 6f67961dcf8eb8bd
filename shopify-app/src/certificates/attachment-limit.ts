/**
 * Maximum total size of a draft's files, in bytes. The limit is lower than core's, because the certificate's PDF must be small
 * enough for a worker's reply and for Shopify Files.
 */
export const MAX_DRAFT_BYTES = 10_000_000;
