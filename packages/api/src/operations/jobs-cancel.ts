import { z } from 'zod';
import { ApiError } from '../errors/api-error.ts';
import { BULK_OPERATIONS, type BulkOperationId } from '../jobs/bulk-operations.ts';
import { describeJob, jobDetails, jobId } from '../jobs/job-details.ts';
import { defineOperation } from './operation.ts';

export default defineOperation({
  id: 'jobs.cancel',
  method: 'post',
  path: '/api/v1/jobs/cancel',
  scope: 'any',
  clientArguments: ['id'],
  summary: 'Cancel a job',
  description:
    'Stops a job. The results of finished rows stay available. Canceling a finished job has no effect. The key needs the scope of the ' +
    "job's operation.",
  request: z.strictObject({ id: jobId }).meta({ id: 'JobCancelRequest' }),
  response: jobDetails,
  errors: ['job_not_found', 'unavailable'],
  examples: [{ name: 'a job', request: { id: 'blk_0mi7x4k2a0000f3a9c1d2e3f40516' } }],
  async handler({ id }, { jobs, jobLinks, now, authorizeScope, caller: { family } }) {
    if (!jobLinks) throw new ApiError('unavailable');
    const { operation } = await jobs.get(family, id);
    authorizeScope(BULK_OPERATIONS[operation as BulkOperationId].scope);
    return describeJob(await jobs.cancel(family, id), jobLinks, now);
  },
});
