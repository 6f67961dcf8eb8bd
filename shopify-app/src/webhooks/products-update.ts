import { productJob } from './product-job.ts';
import type { Topic } from './topic.ts';

/** A product changed; also by an order, which changes its stock. */
export const productsUpdate: Topic = { topic: 'products/update', jobs: productJob };
