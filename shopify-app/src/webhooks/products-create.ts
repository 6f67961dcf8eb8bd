import { productJob } from './product-job.ts';
import type { Topic } from './topic.ts';

/** A product came. */
export const productsCreate: Topic = { topic: 'products/create', jobs: productJob };
