import type { BulkJob } from '@compliance/store';
import { z } from 'zod';
import type { Links } from '../certificates/links.ts';
import { BULK_FORMATS, BULK_OPERATION_IDS, BULK_OPERATIONS, type BulkOperationId } from './bulk-operations.ts';
import { type JobLinks, jobTarget } from './job-links.ts';

/** A job's operation. */
const jobOperation = z.enum(BULK_OPERATION_IDS).meta({ id: 'JobOperation' });

/** Job ID in a request. */
export const jobId = z
  .string()
  .regex(/^blk_[0-9a-z]{29}$/, 'Enter a job ID, such as blk_0mi7x4k2a0000f3a9c1d2e3f40516.')
  .meta({ description: 'Job ID.' });

const time = z.string().meta({ format: 'date-time' });

/** A job in a response. */
export const jobDetails = z
  .object({
    id: z.string(),
    operation: jobOperation,
    format: z.enum(BULK_FORMATS).meta({ description: 'Input file format.' }),
    result_format: z.enum(BULK_FORMATS).meta({ description: 'Result format.' }),
    state: z.enum(['awaiting_input', 'running', 'done', 'failed', 'cancelled']).meta({
      description:
        "`awaiting_input`: upload the file to `upload_url`. `failed`: either the service couldn't fetch or use the file at `input_url` (see " +
        '`input_error`), or at least one part failed on every attempt. If parts failed, the results of the other parts are available. We ' +
        'might add new values.',
    }),
    rows: z.int().meta({ description: 'Number of rows in the file; 0 until the job starts.' }),
    processed_rows: z.int().meta({ description: 'Number of rows with a result.' }),
    error_rows: z
      .int()
      .meta({ description: 'Number of processed rows that have an error. The result contains the errors.' }),
    input_error: z.object({ code: z.string(), message: z.string() }).nullable().meta({
      description:
        'Reason that the last attempt to fetch or use the file at `input_url` failed, or null if it succeeded.',
    }),
    created_at: time,
    started_at: time.nullable(),
    finished_at: time.nullable(),
    upload_url: z.string().nullable().meta({
      description: 'Signed URL for a `PUT` request with the file as its body; null unless `state` is `awaiting_input`.',
    }),
    result_url: z
      .string()
      .nullable()
      .meta({
        description:
          'Signed URL of the result, whose rows are in the same order as in the input file; null until the job starts. While the job ' +
          'is running, the result contains only the finished rows.',
      }),
    certificates_url: z
      .string()
      .nullable()
      .meta({
        description:
          'Signed URL of a ZIP file with the certificate PDFs and an index; null until the job starts, and always ' +
          "null for jobs that don't issue certificates. While the job is running, the ZIP file contains only certificates from finished parts.",
      }),
    links_expire_at: time.meta({ description: 'Time when the URLs expire. To get new URLs, get the job again.' }),
  })
  .meta({ id: 'Job', description: 'A job that runs an operation on each row of a file.' });

/** Converts a stored job to a response. */
export function describeJob(job: BulkJob, links: JobLinks, now: number): z.output<typeof jobDetails> {
  const timeOf = (at: number | null) => at && new Date(at).toISOString();
  const isWaiting = job.state === 'awaiting_input';
  const sign = (purpose: Links) => purpose.sign(jobTarget(job.id), now);
  const signed = sign(isWaiting ? links.input : links.result);
  const url = links.baseUrl + signed.path;
  const { issuesCertificates } = BULK_OPERATIONS[job.operation as BulkOperationId];
  return {
    id: job.id,
    operation: job.operation as z.output<typeof jobOperation>,
    format: job.format,
    result_format: job.resultFormat,
    state: job.state,
    rows: job.rows,
    processed_rows: job.doneRows,
    error_rows: job.errorRows,
    input_error: job.inputError,
    created_at: new Date(job.createdAt).toISOString(),
    started_at: timeOf(job.startedAt) || null,
    finished_at: timeOf(job.finishedAt) || null,
    upload_url: isWaiting ? url : null,
    result_url: job.startedAt === null ? null : url,
    certificates_url:
      issuesCertificates && job.startedAt !== null ? links.baseUrl + sign(links.certificates).path : null,
    links_expire_at: new Date(signed.expiresAt).toISOString(),
  };
}
