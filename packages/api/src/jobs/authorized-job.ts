import type { BulkJob, KeyScope, Store } from '@compliance/store';
import { BULK_OPERATIONS, type BulkOperationId } from './bulk-operations.ts';

/**
 * Returns an account's job if the key's scope includes the job's operation.
 *
 * @throws StoreError `bulk_unknown`, or ApiError `scope`
 * @example const job = await authorizedJob(id, { jobs, authorizeScope, caller });
 */
export async function authorizedJob(
  id: string,
  {
    jobs,
    authorizeScope,
    caller,
  }: {
    readonly jobs: Pick<Store['bulkJobs'], 'get'>;
    readonly authorizeScope: (scope: KeyScope) => void;
    readonly caller: { readonly family: string };
  },
): Promise<BulkJob> {
  const job = await jobs.get(caller.family, id);
  authorizeScope(BULK_OPERATIONS[job.operation as BulkOperationId].scope);
  return job;
}
