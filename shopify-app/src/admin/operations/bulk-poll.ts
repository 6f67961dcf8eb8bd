import { z } from 'zod';
import { defineAdminOperation } from './define-admin-operation.ts';

/**
 * Gets a bulk operation's progress and the URL of its results. The result is null if no bulk operation has this
 * ID.
 */
export const bulkPoll = defineAdminOperation<{ readonly id: string }>()(
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
