import { includesScope } from '@compliance/store';
import { z } from 'zod';
import { ApiError } from '../errors/api-error.ts';
import { BULK_OPERATION_IDS, BULK_OPERATIONS } from '../jobs/bulk-operations.ts';
import { describeJob, jobDetails, jobId } from '../jobs/job-details.ts';
import { wholeNumber } from '../schemas/query-number.ts';
import { defineOperation } from './operation.ts';

const MAX_LIMIT = 100;

export default defineOperation({
  id: 'jobs.list',
  method: 'get',
  path: '/api/v1/jobs',
  scope: 'any',
  clientArguments: [],
  summary: 'List jobs',
  description:
    "Returns your account's jobs from the last seven days, newest first, one page at a time. To get the next page, repeat the request " +
    "with `next_cursor` as `cursor`. The list contains only the jobs whose operations are in the key's scope.",
  request: z.strictObject({
    operation: z
      .enum(BULK_OPERATION_IDS)
      .optional()
      .meta({ description: 'List only the jobs that run this operation.' }),
    limit: wholeNumber(1, MAX_LIMIT, 'Enter a number from 1 to 100.')
      .default(20)
      .meta({ description: 'Maximum number of jobs per page.' }),
    cursor: jobId.optional().meta({ description: '`next_cursor` from the previous page.' }),
  }),
  response: z
    .object({
      jobs: z.array(jobDetails),
      next_cursor: z.string().nullable().meta({
        description:
          'Cursor for the next page; null on the last page. To get the next page, send this value unchanged as `cursor`.',
      }),
    })
    .meta({ id: 'JobList' }),
  errors: ['unavailable'],
  examples: [
    { name: 'jobs with lookups', request: { operation: 'tariff.hts.lookup', limit: 10 } },
    { name: 'all jobs', request: {} },
  ],
  async handler({ operation, limit, cursor }, { jobs, jobLinks, now, keyScope, authorizeScope, caller }) {
    if (!jobLinks) throw new ApiError('unavailable');
    if (operation) authorizeScope(BULK_OPERATIONS[operation].scope);
    const inScope = BULK_OPERATION_IDS.filter(id => includesScope(keyScope, BULK_OPERATIONS[id].scope));
    const operations = operation ? [operation] : inScope;
    const found = await jobs.list(caller.family, { limit: limit + 1, before: cursor, operations });
    const shown = found.slice(0, limit);
    return {
      jobs: shown.map(job => describeJob(job, jobLinks, now)),
      next_cursor: found.length > limit ? shown.at(-1)!.id : null,
    };
  },
});
