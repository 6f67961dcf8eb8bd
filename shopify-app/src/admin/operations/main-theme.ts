import { z } from 'zod';
import { defineOperation } from '../admin.ts';

/** The theme that shoppers see. */
export const mainTheme = defineOperation()(
  `#graphql
  query MainTheme {
    themes(first: 1, roles: [MAIN]) { nodes { id name } }
  }`,
  z.object({ themes: z.object({ nodes: z.array(z.object({ id: z.string(), name: z.string() })) }) }),
);
