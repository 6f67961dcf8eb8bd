import type { Store } from '@compliance/store';
import { Hono } from 'hono';
import type { Links } from '../certificates/links.ts';
import { ApiError } from '../errors/api-error.ts';
import type { ApiEnv } from '../http/context.ts';
import { BULK_OPERATIONS, type BulkOperationId } from './bulk-operations.ts';
import { describeJob } from './job-details.ts';
import { resultName } from './job-files.ts';
import { JOB_ROUTES, type JobLinks, jobTarget } from './job-links.ts';
import { receiveInput } from './receive-input.ts';
import { csvLine } from './rows.ts';

/**
 * Creates the routes `PUT /jobs/{id}/input` and `GET /jobs/{id}/result`, which need a signed link instead of an API key. The
 * result consists of the finished parts, in input order, so it's partial while the job is running.
 */
export function jobRoutes(store: Store, links: JobLinks, clock: () => number): Hono<ApiEnv> {
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
    const started = await receiveInput(store, job, body ?? new Blob([]).stream());
    return c.json(describeJob(started, links, clock()));
  });

  app.get(JOB_ROUTES.result, async c => {
    const job = await jobOf(c.req.url, c.req.param('id'), links.result);
    const parts = await store.bulkJobs.doneParts(job.id);
    const isCsv = job.format === 'csv';
    const head = isCsv ? csvLine(BULK_OPERATIONS[job.operation as BulkOperationId].columns) : '';
    async function* content() {
      yield new TextEncoder().encode(head);
      for (const part of parts) {
        const bytes = await store.blobs.files.read(resultName(job.id, part));
        // Abort the download, because a result with missing rows would look complete.
        if (!bytes) throw new Error(`The result of part ${part} of job ${job.id} is missing.`);
        yield bytes;
      }
    }
    return c.body(ReadableStream.from(content()), 200, {
      'Content-Type': isCsv ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
      'Content-Disposition': `attachment; filename="${job.id}.${job.format}"`,
      'Cache-Control': 'private, no-store',
      'Content-Security-Policy': "sandbox; default-src 'none'",
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
    });
  });
  return app;
}
