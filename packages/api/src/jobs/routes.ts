import type { BulkFormat, Store } from '@compliance/store';
import { Hono } from 'hono';
import type { Links } from '../certificates/links.ts';
import type { DeliverPdf } from '../certificates/marked-pdf.ts';
import { ApiError } from '../errors/api-error.ts';
import type { ApiEnv } from '../http/context.ts';
import { BULK_OPERATIONS, type BulkOperationId } from './bulk-operations.ts';
import { certificatesZip } from './certificates-zip.ts';
import { describeJob } from './job-details.ts';
import { resultName } from './job-files.ts';
import { JOB_ROUTES, type JobLinks, jobTarget } from './job-links.ts';
import { writeParquet } from './parquet/write-parquet.ts';
import { type InputDeps, receiveInput } from './receive-input.ts';
import { csvLine } from './rows.ts';

const CONTENT_TYPES: Record<BulkFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
};

/** Dependencies of the job routes. */
interface JobRouteDeps extends InputDeps {
  readonly links: JobLinks;
  readonly clock: () => number;
  /** Returns certificate PDFs. Without this function, ZIP files of certificates aren't available. */
  readonly deliver: DeliverPdf | null;
}

/**
 * Creates the routes `PUT /jobs/{id}/input`, `GET /jobs/{id}/result`, and `GET /jobs/{id}/certificates`, which require
 * a signed link instead of an API key. A result contains the finished parts, in input order, so it's incomplete while
 * the job is running.
 */
export function jobRoutes({ links, clock, deliver, ...deps }: JobRouteDeps): Hono<ApiEnv> {
  const { store } = deps;
  const app = new Hono<ApiEnv>();

  async function jobOf(url: string, id: string, signed: Links) {
    const job = await store.bulkJobs.find(id);
    const { pathname, search } = new URL(url);
    const verdict = signed.verify(pathname + search, id, job && jobTarget(id), clock());
    if (verdict === 'expired') throw new ApiError('link_expired');
    if (verdict === 'invalid' || !job) throw new ApiError('link_invalid');
    return job;
  }

  app.put(JOB_ROUTES.input, async c => {
    const job = await jobOf(c.req.url, c.req.param('id'), links.input);
    if (job.state !== 'awaiting_input') throw new ApiError('job_started');
    const { body } = c.req.raw;
    const started = await receiveInput(deps, job, body ?? new Blob([]).stream());
    return c.json(describeJob(started, links, clock()));
  });

  app.get(JOB_ROUTES.result, async c => {
    const job = await jobOf(c.req.url, c.req.param('id'), links.result);
    const { columns } = BULK_OPERATIONS[job.operation as BulkOperationId];
    const parts = partsOf(store, job.id, await store.bulkJobs.doneParts(job.id));
    const format = job.resultFormat;
    async function* withHeader() {
      yield new TextEncoder().encode(csvLine(columns));
      yield* parts;
    }
    const content = { csv: withHeader, ndjson: () => parts, parquet: () => writeParquet(columns, parts) }[format]();
    return c.body(ReadableStream.from(content), 200, fileHeaders(CONTENT_TYPES[format], `${job.id}.${format}`));
  });

  app.get(JOB_ROUTES.certificates, async c => {
    const job = await jobOf(c.req.url, c.req.param('id'), links.certificates);
    if (!deliver) throw new ApiError('unavailable');
    const done = await store.bulkJobs.doneParts(job.id);
    const zip = certificatesZip(job, () => partsOf(store, job.id, done), { store, deliver });
    return c.body(zip, 200, fileHeaders('application/zip', `${job.id}.zip`));
  });
  return app;
}

const fileHeaders = (type: string, filename: string) => ({
  'Content-Type': type,
  'Content-Disposition': `attachment; filename="${filename}"`,
  'Cache-Control': 'private, no-store',
  'Content-Security-Policy': "sandbox; default-src 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
});

async function* partsOf(store: Store, id: string, parts: readonly number[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    const bytes = await store.blobs.files.read(resultName(id, part));
    // Abort the download. Otherwise, a result with missing rows would look complete.
    if (!bytes) throw new Error(`The result of part ${part} of job ${id} is missing.`);
    yield bytes;
  }
}
