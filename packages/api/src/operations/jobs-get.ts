import { z } from 'zod';
import { ApiError } from '../errors/api-error.ts';
import { authorizedJob } from '../jobs/authorized-job.ts';
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
  async handler({ id }, context) {
    const { jobLinks, now } = context;
    if (!jobLinks) throw new ApiError('unavailable');
    return describeJob(await authorizedJob(id, context), jobLinks, now);
  },
});
