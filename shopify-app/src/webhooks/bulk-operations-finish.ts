import { z } from 'zod';
import type { Topic } from './topic.ts';

const operation = z.object({ admin_graphql_api_id: z.string() });

/**
 * A bulk operation ended. It wakes the catalog's job that waits for it. When there is none any more, the new job takes up
 * what this operation gave; it must start no other, or they would follow each other for ever.
 */
export const bulkOperationsFinish: Topic = {
  topic: 'bulk_operations/finish',
  jobs: payload => [{ kind: 'catalog', payload: { bulkOperationId: operation.parse(payload).admin_graphql_api_id } }],
};
