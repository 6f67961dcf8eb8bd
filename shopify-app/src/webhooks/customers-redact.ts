import type { Topic } from './topic.ts';

/** A customer is to be forgotten. Nothing is kept of any: the app has no scope that shows customers. */
export const customersRedact: Topic = { topic: 'customers/redact' };
