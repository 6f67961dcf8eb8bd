import type { JobKind } from '../jobs/job.ts';
import { type ProductRequest, refreshProduct } from './refresh-product.ts';
import { CATALOG, CATALOG_NIGHT, PRODUCT } from './words.ts';

/** The job that looks at one product anew, as a webhook asked. */
export const productJob = (clock: () => number): JobKind => ({
  kind: PRODUCT,
  async run({ job, merchant, signal }) {
    const request = job.payload as ProductRequest;
    return { variants: await refreshProduct(merchant, request, { signal, now: clock(), run: job.id }) };
  },
});

/**
 * The job that has the whole catalog read in the night: webhooks get lost, and a listing may begin or end with the day. It is
 * a kind of its own so that the catalog's own job is never one that only waits.
 */
export const catalogNightJob: JobKind = {
  kind: CATALOG_NIGHT,
  async run({ merchant }) {
    await merchant.shop.jobs.enqueue({ kind: CATALOG });
    return null;
  },
};
