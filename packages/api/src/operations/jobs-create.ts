import { asOf, programs } from '@compliance/contract/tariff';
import { templateIssues } from '@compliance/core/entry';
import { JOURNEY_STEPS } from '@compliance/core/pixel';
import { easternDate, originPattern, parseOrigin } from '@compliance/core/tariff';
import type { BulkFormat } from '@compliance/store';
import { z } from 'zod';
import { ApiError } from '../errors/api-error.ts';
import {
  BULK_FORMATS,
  BULK_OPERATION_IDS,
  BULK_OPERATIONS,
  BULK_OPTIONS,
  type BulkOperationId,
} from '../jobs/bulk-operations.ts';
import { describeJob, jobDetails } from '../jobs/job-details.ts';
import { FILE_URL_PATTERN } from '../schemas/https-url.ts';
import { defineOperation } from './operation.ts';

/** Returns JSON Schemas that match requests with a format or an option that the operation doesn't support. */
function unsupported(operation: BulkOperationId): object[] {
  const { formats, resultFormats, options } = BULK_OPERATIONS[operation];
  const forbid = (field: string, values: object) => ({
    required: ['operation', field],
    properties: { operation: { const: operation }, [field]: values },
  });
  const forbidFormats = (field: string, supported: readonly BulkFormat[]) => {
    const others = BULK_FORMATS.filter(format => !supported.includes(format));
    return others.length === 0 ? [] : [forbid(field, { enum: others })];
  };
  return [
    ...forbidFormats('format', formats),
    ...forbidFormats('result_format', resultFormats),
    ...BULK_OPTIONS.filter(option => !isIn(options, option)).map(option => forbid(option, {})),
  ];
}

const invalid = (path: string, message: string) =>
  new ApiError('invalid_request', { detail: { issues: [{ path, code: 'INVALID_VALUE', message }] } });

const isIn = <T>(supported: readonly T[], chosen: T) => supported.includes(chosen);

const request = z
  .strictObject({
    operation: z.enum(BULK_OPERATION_IDS).meta({
      description:
        'Operation to run on each row. For `tariff.hts.lookup`, each row has the field `code` and optionally `origin`. For ' +
        '`pixel.scan` and `pixel.render`, each row has the field `url`. `pixel.render` scans the page, opens it in an isolated ' +
        'browser, and marks each finding as confirmed, refuted, or unseen. It requires a key with the scope `render` or `all`, and ' +
        'page rendering must be enabled on the service. For `tariff.hts.lookup`, `pixel.scan`, and `pixel.render`, a row can also have the field `reference`, which is copied to the result. For ' +
        '`entry.gcc.generate` and `entry.cpc.generate`, each row is a certificate request with the same fields as a call to that ' +
        'operation. In CSV and Parquet files, the columns are named after request fields, such as `product_info.name`.',
    }),
    format: z
      .enum(BULK_FORMATS)
      .default('ndjson')
      .meta({
        description:
          '`ndjson`: one JSON value per line. `csv`: a header line, then one row per line. `parquet`: a Parquet file, uncompressed or ' +
          'with Snappy, Zstandard, gzip, or Brotli compression.',
      }),
    result_format: z.enum(BULK_FORMATS).optional().meta({
      description: 'Result format. Defaults to the input file format. For certificates, the result is always `ndjson`.',
    }),
    input_url: z
      .string()
      .max(8_000)
      .optional()
      .meta({
        format: 'uri',
        pattern: FILE_URL_PATTERN,
        description:
          'URL of the file, if the service should fetch it: an HTTPS URL on a public server, such as a presigned S3 URL, or the ' +
          "`s3://` URL of an object in the operator's import bucket. The service deletes the stored URL as soon as it has fetched the file.",
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
    journey: z
      .array(z.enum(JOURNEY_STEPS))
      .max(JOURNEY_STEPS.length)
      .optional()
      .meta({
        description:
          'For `pixel.render`, the steps to take in the storefront after each consent choice, if the robots.txt file allows them: ' +
          'view a product, add it to the cart, open the cart, and search. By default, only the page itself is rendered.',
      }),
    template: z
      .looseObject({})
      .optional()
      .meta({
        description:
          'For certificates, a partial request with the fields that all rows share, such as the manufacturer and the certifier. Row ' +
          'fields override template fields.',
      }),
  })
  .meta({ id: 'JobCreateRequest', not: { anyOf: BULK_OPERATION_IDS.flatMap(unsupported) } });

export default defineOperation({
  id: 'jobs.create',
  method: 'post',
  path: '/api/v1/jobs',
  scope: 'any',
  clientArguments: ['operation'],
  summary: 'Create a job for a file',
  description:
    'Runs an operation on each row of a file. The limits per file and per day are 10 million HTS codes, 100,000 storefront URLs to ' +
    'scan, 1,000 storefront URLs to render, and 100,000 certificates of each type. Either upload the file to `upload_url` with a `PUT` request, or set `input_url` in this request so that the service ' +
    'fetches the file. Then poll the job until it finishes. ' +
    "A row with an error doesn't stop the job. Jobs and their files are deleted after seven days. The key needs the scope of the job's operation.",
  request,
  response: jobDetails,
  errors: ['job_limit', 'unavailable'],
  examples: [
    { name: 'a job for lookups', request: { operation: 'tariff.hts.lookup', format: 'csv', as_of: '2026-10-01' } },
    { name: 'a job for codes in NDJSON', request: { operation: 'tariff.hts.lookup' } },
    {
      name: 'a job for codes in Parquet, with a result in CSV',
      request: { operation: 'tariff.hts.lookup', format: 'parquet', result_format: 'csv' },
    },
    {
      name: 'a job for rendered scans',
      request: { operation: 'pixel.render', format: 'csv', journey: ['product', 'add_to_cart'] },
    },
    {
      name: 'a job for certificates in CSV, which all have the same manufacturer',
      request: {
        operation: 'entry.gcc.generate',
        format: 'csv',
        template: {
          manufacturer: {
            name: 'Velo Safety',
            address: '88 Keyuan Road, Shenzhen, China',
            contact_email: 'compliance@velo.example',
          },
        },
      },
    },
    {
      name: 'a job for a file that the service fetches',
      request: {
        operation: 'tariff.hts.lookup',
        format: 'csv',
        input_url: 'https://files.example/codes.csv?signature=a1b2',
      },
    },
  ],
  async handler({ operation, format, result_format, input_url, ...options }, context) {
    const { jobs, jobLinks, inputSources, rendersPages, now, lookUp, authorizeScope, caller } = context;
    const { family, keyId } = caller;
    const { scope, formats, resultFormats, options: supportedOptions } = BULK_OPERATIONS[operation];
    authorizeScope(scope);
    if (operation === 'pixel.render' && !rendersPages)
      throw new ApiError('unavailable', {
        message: "This service doesn't render pages. Use pixel.scan, or contact the service's operator.",
      });
    if (!jobLinks) throw new ApiError('unavailable');
    const resultFormat = result_format ?? (isIn(resultFormats, format) ? format : resultFormats[0]);
    for (const [path, supported, chosen] of [
      ['format', formats, format],
      ['result_format', resultFormats, resultFormat],
    ] as const) {
      if (isIn(supported, chosen)) continue;
      throw invalid(path, `Use ${supported.join(' or ')} for ${operation}.`);
    }
    for (const option of BULK_OPTIONS) {
      if (options[option] !== undefined && !isIn(supportedOptions, option))
        throw invalid(option, `Remove this field. It doesn't apply to ${operation}.`);
    }
    const { as_of, programs, origin } = options;
    if (options.template) {
      const kind = operation === 'entry.cpc.generate' ? 'CPC' : 'GCC';
      const issues = templateIssues(options.template, easternDate(now), kind);
      const within = issues.map(issue => ({ ...issue, path: `template.${issue.path}` }));
      if (issues.length > 0) throw new ApiError('invalid_request', { detail: { issues: within } });
    }
    // Look up an empty list now, so that options that are invalid for the data set are rejected before any part runs.
    lookUp([], { asOf: as_of ?? easternDate(now), ...(programs && { programs }), ...(origin && { origin }) });
    if (input_url !== undefined) {
      if (!inputSources) throw new ApiError('unavailable');
      inputSources.check(input_url);
    }
    const source = input_url ?? null;
    const job = await jobs.create({ family, keyId, operation, format, resultFormat, source, options });
    return describeJob(job, jobLinks, now);
  },
});
