import { z } from 'zod';
import { defineOperation } from '../admin.ts';

/** How many variants the shop has. */
export const variantsCount = defineOperation()(
  `#graphql
  query VariantsCount {
    productVariantsCount(limit: null) { count }
  }`,
  z.object({ productVariantsCount: z.object({ count: z.int() }) }),
);
