import { z } from 'zod';
import { defineOperation } from '../admin.ts';

/** How far a file is; null when there is none of this id. */
export const filePoll = defineOperation<{ readonly id: string }>()(
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
