import { z } from 'zod';
import { defineAdminOperation } from './define-admin-operation.ts';

/** Gets the published theme. */
export const mainTheme = defineAdminOperation()(
  `#graphql
  query MainTheme {
    themes(first: 1, roles: [MAIN]) { nodes { id name } }
  }`,
  z.object({ themes: z.object({ nodes: z.array(z.object({ id: z.string(), name: z.string() })) }) }),
);
