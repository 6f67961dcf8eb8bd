import { z } from 'zod';
import { ApiError } from '../errors/api-error.ts';
import { authorizedJob } from '../jobs/authorized-job.ts';
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
    'Stops a job. The results of finished rows remain available. Canceling a finished job has no effect. The key needs the scope of the ' +
    "job's operation.",
  request: z.strictObject({ id: jobId }).meta({ id: 'JobCancelRequest' }),
  response: jobDetails,
  errors: ['job_not_found', 'unavailable'],
  examples: [{ name: 'a job', request: { id: 'blk_0mi7x4k2a0000f3a9c1d2e3f40516' } }],
  async handler({ id }, context) {
    const { jobs, jobLinks, now, caller } = context;
    if (!jobLinks) throw new ApiError('unavailable');
    await authorizedJob(id, context);
    return describeJob(await jobs.cancel(caller.family, id), jobLinks, now);
  },
});
