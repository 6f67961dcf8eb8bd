import { z } from 'zod';
import { ApiError } from '../errors/api-error.ts';
import { authorizedJob } from '../jobs/authorized-job.ts';
import { describeJob, jobDetails, jobId } from '../jobs/job-details.ts';
import { defineOperation } from './operation.ts';

export default defineOperation({
  id: 'jobs.redrive',
  method: 'post',
  path: '/api/v1/jobs/redrive',
  scope: 'any',
  clientArguments: ['id'],
  summary: 'Rerun the failed parts of a job',
  description:
    'Processes all rows in a `failed` job that don’t have a result yet, and keeps the existing results. Rows that already have a ' +
    "certificate don't get another one. This operation doesn't change a job in any other state. The key needs the scope of the job's operation.",
  request: z.strictObject({ id: jobId }).meta({ id: 'JobRedriveRequest' }),
  response: jobDetails,
  errors: ['job_not_found', 'unavailable'],
  examples: [{ name: 'a job', request: { id: 'blk_0mi7x4k2a0000f3a9c1d2e3f40516' } }],
  async handler({ id }, context) {
    const { jobs, jobLinks, now, caller } = context;
    if (!jobLinks) throw new ApiError('unavailable');
    await authorizedJob(id, context);
    return describeJob(await jobs.redrive(caller.family, id), jobLinks, now);
  },
});
