import type { NewJob } from '@compliance/store';
import { z } from 'zod';

const product = z.object({ id: z.int().positive() });

/** Looks at a product anew, whatever became of it: events come late and in any order, so they only say where to look. */
export function productJob(payload: unknown): readonly NewJob[] {
  const productId = `gid://shopify/Product/${product.parse(payload).id}`;
  return [{ kind: 'product', key: productId, payload: { productId }, whileRunning: 'again' }];
}
