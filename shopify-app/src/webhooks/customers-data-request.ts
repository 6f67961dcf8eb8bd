import { z } from 'zod';
import type { Topic } from './topic.ts';

const request = z.object({ data_request: z.object({ id: z.int() }).optional() });

/** A customer asks what is kept of them. Nothing is: the app has no scope that shows customers. */
export const customersDataRequest: Topic = {
  topic: 'customers/data_request',
  run: async (_, { payload }) => ({ request: request.safeParse(payload).data?.data_request?.id }),
};
