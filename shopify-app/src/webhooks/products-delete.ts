import { productJob } from './product-job.ts';
import type { Topic } from './topic.ts';

/** A product went. Its job finds that Shopify has it no more. */
export const productsDelete: Topic = { topic: 'products/delete', jobs: productJob };
