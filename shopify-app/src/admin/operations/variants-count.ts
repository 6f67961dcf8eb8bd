import { z } from 'zod';
import { defineAdminOperation } from './define-admin-operation.ts';

/** Gets the number of variants in the shop. */
export const variantsCount = defineAdminOperation()(
  `#graphql
  query VariantsCount {
    productVariantsCount(limit: null) { count }
  }`,
  z.object({ productVariantsCount: z.object({ count: z.int() }) }),
);
