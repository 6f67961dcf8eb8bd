import { z } from 'zod';
import { defineAdminOperation } from './define-admin-operation.ts';

/** Gets the processing status of a file. The result is null if no file has this ID. */
export const filePoll = defineAdminOperation<{ readonly id: string }>()(
  `#graphql
  query FilePoll($id: ID!) {
    node(id: $id) { ... on GenericFile { id alt fileStatus } }
  }`,
  z.object({
    node: z
      .object({
        id: z.string(),
        alt: z.string().nullable(),
        fileStatus: z.enum(['FAILED', 'PROCESSING', 'READY', 'UPLOADED']),
      })
      .nullable(),
  }),
);
