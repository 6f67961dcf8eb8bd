import { z } from 'zod';
import { defineOperation } from '../admin.ts';

/** How far a bulk operation is, and where what it wrote can be fetched; null when there is none of this id. */
export const bulkPoll = defineOperation<{ readonly id: string }>()(
  `#graphql
  query BulkPoll($id: ID!) {
    bulkOperation(id: $id) { status type createdAt rootObjectCount url partialDataUrl }
  }`,
  z.object({
    bulkOperation: z
      .object({
        status: z.enum(['CANCELED', 'CANCELING', 'COMPLETED', 'CREATED', 'EXPIRED', 'FAILED', 'RUNNING']),
        type: z.enum(['QUERY', 'MUTATION']),
        createdAt: z.string(),
        rootObjectCount: z.coerce.number(),
        url: z.string().nullable(),
        partialDataUrl: z.string().nullable(),
      })
      .nullable(),
  }),
);
