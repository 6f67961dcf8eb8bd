import { z } from 'zod';
import { ApiError } from '../errors/api-error.ts';
import { BULK_OPERATIONS, type BulkOperationId } from '../jobs/bulk-operations.ts';
import { describeJob, jobDetails, jobId } from '../jobs/job-details.ts';
import { defineOperation } from './operation.ts';

export default defineOperation({
  id: 'jobs.get',
  method: 'get',
  path: '/api/v1/jobs/{id}',
  scope: 'any',
  clientArguments: ['id'],
  summary: 'Get a job',
  description: "Returns a job's progress and new signed URLs. The key needs the scope of the job's operation.",
  request: z.strictObject({ id: jobId }),
  response: jobDetails,
  errors: ['job_not_found', 'unavailable'],
  examples: [{ name: 'a job', request: { id: 'blk_0mi7x4k2a0000f3a9c1d2e3f40516' } }],
  async handler({ id }, { jobs, jobLinks, now, authorizeScope, caller: { family } }) {
    if (!jobLinks) throw new ApiError('unavailable');
    const job = await jobs.get(family, id);
    authorizeScope(BULK_OPERATIONS[job.operation as BulkOperationId].scope);
    return describeJob(job, jobLinks, now);
  },
});
