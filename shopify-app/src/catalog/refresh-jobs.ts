import type { JobHandler } from '../jobs/job.ts';
import { CATALOG, CATALOG_NIGHT, PRODUCT } from './model/job-types.ts';
import { type ProductRequest, refreshProduct } from './read/refresh-product.ts';

/** Creates the job that refreshes one product after a webhook. */
export const productJob = (clock: () => number): JobHandler => ({
  kind: PRODUCT,
  async run({ job, merchant, signal }) {
    const request = job.payload as ProductRequest;
    return { variants: await refreshProduct(merchant, request, { signal, now: clock(), run: job.id }) };
  },
});

/**
 * Nightly job that starts a read of the whole catalog. Nightly reads are needed because webhooks can be lost and
 * because listings can take effect or end on any day. The job has its own type, so that a job that is waiting for the
 * nightly window never counts as the latest `catalog` job.
 */
export const catalogNightJob: JobHandler = {
  kind: CATALOG_NIGHT,
  async run({ merchant }) {
    await merchant.shop.jobs.enqueue({ kind: CATALOG });
    return null;
  },
};
