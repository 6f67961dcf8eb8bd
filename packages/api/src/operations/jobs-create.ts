import { asOf, programs } from '@compliance/contract/tariff';
import { easternDate, originPattern, parseOrigin } from '@compliance/core/tariff';
import { z } from 'zod';
import { ApiError } from '../errors/api-error.ts';
import { BULK_OPERATION_IDS, BULK_OPERATIONS } from '../jobs/bulk-operations.ts';
import { describeJob, jobDetails } from '../jobs/job-details.ts';
import { defineOperation } from './operation.ts';

const request = z
  .strictObject({
    operation: z.enum(BULK_OPERATION_IDS).meta({
      description:
        'Operation to run on each row. For `tariff.hts.lookup`, each row has the field `code` and optionally `origin`. For ' +
        '`pixel.scan`, each row has the field `url`. For both operations, the result repeats the optional field `reference`. For ' +
        '`entry.gcc.generate`, each row is a request for this operation.',
    }),
    format: z
      .enum(['csv', 'ndjson'])
      .default('ndjson')
      .meta({
        description:
          '`ndjson`: one JSON value per line. `csv`: a header line, and one row per line. Certificates need `ndjson`. The result has the ' +
          'same format.',
      }),
    as_of: asOf,
    programs,
    origin: z
      .string()
      .refine(text => parseOrigin(text) !== null, 'Use an ISO 3166-1 alpha-2 country code, such as DE.')
      .optional()
      .meta({
        format: 'country-code',
        pattern: originPattern(),
        description: 'For lookups, the country of origin for rows without an `origin`.',
      }),
  })
  .meta({ id: 'JobCreateRequest' });

export default defineOperation({
  id: 'jobs.create',
  method: 'post',
  path: '/api/v1/jobs',
  scope: 'any',
  clientArguments: ['operation'],
  summary: 'Create a job for a file',
  description:
    'Runs an operation on each row of a file: up to 10 million HTS codes, 100,000 storefront URLs, or 100,000 certificates per file ' +
    'and per day. Upload the file to `upload_url` with a `PUT` request, and then poll the job until it finishes. A row with an error ' +
    "doesn't stop the job. Jobs and their files are deleted after seven days. The key needs the scope of the job's operation.",
  request,
  response: jobDetails,
  errors: ['job_limit', 'unavailable'],
  examples: [
    { name: 'a job for lookups', request: { operation: 'tariff.hts.lookup', format: 'csv', as_of: '2026-10-01' } },
    { name: 'a job for codes in NDJSON', request: { operation: 'tariff.hts.lookup' } },
  ],
  async handler({ operation, format, ...options }, context) {
    const { jobs, jobLinks, now, lookUp, authorizeScope, caller } = context;
    const { family, keyId } = caller;
    const { scope, formats } = BULK_OPERATIONS[operation];
    authorizeScope(scope);
    if (!jobLinks) throw new ApiError('unavailable');
    if (!(formats as readonly string[]).includes(format)) {
      const issue = { path: 'format', code: 'INVALID_VALUE', message: `Use ${formats.join(' or ')} for ${operation}.` };
      throw new ApiError('invalid_request', { detail: { issues: [issue] } });
    }
    const { as_of, programs, origin } = options;
    // Reject options that are invalid for the data set here, rather than when each part runs.
    lookUp([], { asOf: as_of ?? easternDate(now), ...(programs && { programs }), ...(origin && { origin }) });
    const job = await jobs.create({ family, keyId, operation, format, options });
    return describeJob(job, jobLinks, now);
  },
});
