import { easternDate } from '@compliance/core/tariff';
import { waitUntil } from '@compliance/store/jobs';
import type { Shop } from '@compliance/store/shop';
import { type Admin, AdminApiError } from '../admin/admin.ts';
import { bulkPoll } from '../admin/operations/bulk-poll.ts';
import { variantsCount } from '../admin/operations/variants-count.ts';
import type { JobContext, JobHandler } from '../jobs/job.ts';
import { classifyWithPauses } from './classify-with-pauses.ts';
import type { CatalogItem } from './model/catalog-item.ts';
import { CATALOG, PRODUCT } from './model/job-types.ts';
import { summarizeRates } from './model/rates.ts';
import { type BulkRead, readBulk, startBulk } from './read/bulk.ts';
import { catalogPages } from './read/pages.ts';
import { type ProductRequest, refreshProduct } from './read/refresh-product.ts';
import { recordTariffAlert } from './tariff-alert.ts';

/**
 * Minimum catalog size, in variants, for reading the catalog with a bulk operation. Smaller catalogs are read page by
 * page.
 */
const BULK_FROM = 2_000;

/**
 * Polling intervals for a bulk operation, in milliseconds. The interval doubles with each poll until it reaches
 * `longest`.
 */
const POLL_MS = { first: 500, longest: 15_000 };

/** Number of variants to classify and store per batch. */
const BATCH = 200;

/**
 * Payload of a `catalog` job enqueued by the webhook for a finished bulk operation. Other `catalog` jobs have no
 * payload.
 */
interface CatalogRequest {
  readonly bulkOperationId: string;
}

/**
 * Progress of a `catalog` job, as numbers of variants. `exporting` means that Shopify is writing the variants to a
 * file. `total` is 0 until the number of variants is known.
 */
export interface CatalogProgress {
  readonly step: 'counting' | 'exporting' | 'reading' | 'answering' | 'settling';
  readonly done: number;
  readonly total: number;
  /** ID of the bulk operation that the job is waiting for. Another worker can use the ID to resume the job. */
  readonly bulk: string | null;
  /** Number of times that the job has polled the bulk operation. */
  readonly polls: number;
}

/** Result of a `catalog` job in the `done` state. */
export interface CatalogOutcome {
  /**
   * `partial` means that Shopify returned only part of the catalog. Stored data for the other variants is unchanged.
   */
  readonly state: 'complete' | 'partial';
  readonly variants: number;
  readonly removed: number;
  readonly bulk: string | null;
}

/**
 * Creates the job that reads the whole catalog and classifies each variant. The job is idempotent and can be restarted
 * at any point. While Shopify exports the catalog, the job doesn't occupy a worker slot. The job runs again at its next
 * poll or when the webhook for the finished export arrives. After a partial read, the job keeps the variants that are
 * missing from the result.
 */
export const catalogJob = (clock: () => number): JobHandler => ({
  kind: CATALOG,
  async run(context): Promise<CatalogOutcome | ReturnType<typeof waitUntil> | null> {
    const { job, merchant, signal } = context;
    const finishedBulk = (job.payload as CatalogRequest | null)?.bulkOperationId ?? null;
    const earlier = finishedBulk === null ? null : await findEarlierOutcome(merchant.shop, finishedBulk);
    if (earlier) return earlier;

    const progress = createProgressReporter(context);
    progress('counting', 0);
    const startedAt = clock();
    const { productVariantsCount } = await merchant.admin.run(variantsCount, {}, { signal });
    progress.total = productVariantsCount.count;

    let variants = 0;
    const asOf = easternDate(startedAt);
    const dataset = merchant.dataset();
    const store = async (items: readonly CatalogItem[]) => {
      for (let from = 0; from < items.length; from += BATCH) {
        signal.throwIfAborted();
        const batch = items.slice(from, from + BATCH);
        await merchant.shop.variants.upsert(job.id, await classifyWithPauses(batch, asOf, dataset), {
          summarize: summarizeRates,
        });
        progress('answering', (variants += batch.length));
      }
    };
    const bulk = await readWithBulkOperation(context, finishedBulk, progress);
    if (bulk === 'pending') return waitUntil(clock() + Math.min(POLL_MS.first * 2 ** progress.polls, POLL_MS.longest));
    // A job for a finished bulk operation must not start another bulk operation, or the cycle would repeat forever.
    if (bulk === null && finishedBulk !== null) return null;
    if (bulk) await store(bulk.items);
    else for await (const page of catalogPages(merchant.admin, signal)) await store(page);

    progress('settling', variants);
    await refreshChangedProducts(context, Math.min(startedAt, bulk?.since ?? startedAt), clock);
    const isComplete = bulk?.isComplete ?? true;
    await recordTariffAlert(merchant.shop, startedAt, dataset);
    const removed = isComplete ? await merchant.shop.variants.sweep(job.id) : 0;
    return { state: isComplete ? 'complete' : 'partial', variants, removed, bulk: progress.bulk };
  },
});

/**
 * Returns the result of the job that has already processed a bulk operation, or null if no job has processed it. The
 * operation's webhook often arrives after a job has processed the operation.
 */
async function findEarlierOutcome(shop: Shop, bulk: string): Promise<CatalogOutcome | null> {
  const jobs = await shop.jobs.list({ limit: 100 });
  const outcomes = jobs.flatMap(({ kind, state, result }) =>
    kind === CATALOG && state === 'done' && result ? [result as CatalogOutcome] : [],
  );
  return outcomes.find(outcome => outcome.bulk === bulk) ?? null;
}

/** Reports the job's progress. */
interface ProgressReporter {
  (step: CatalogProgress['step'], done: number): void;
  total: number;
  bulk: string | null;
  readonly polls: number;
}

function createProgressReporter({ job, report }: JobContext): ProgressReporter {
  const progress: ProgressReporter = Object.assign(
    (step: CatalogProgress['step'], done: number) =>
      report({
        ...{ step, done, total: Math.max(progress.total, done) },
        ...{ bulk: progress.bulk, polls: progress.polls + 1 },
      } satisfies CatalogProgress),
    { total: 0, bulk: null, polls: (job.progress as CatalogProgress | null)?.polls ?? 0 },
  );
  return progress;
}

/**
 * Reads the catalog with a bulk operation. Returns null if the catalog is too small for a bulk operation, if Shopify
 * rejects the operation, or if the webhook's operation is unknown or failed without writing a file.
 */
async function readWithBulkOperation(
  { job, merchant, signal }: JobContext,
  finishedBulk: string | null,
  progress: ProgressReporter,
): Promise<BulkRead | 'pending' | null> {
  const { admin } = merchant;
  const read = (id: string) => {
    progress.bulk = id;
    return readBulk(admin, id, { signal, onProgress: progress });
  };
  const resumed = finishedBulk ?? (job.progress as CatalogProgress | null)?.bulk ?? null;
  const result = resumed === null ? null : await read(resumed);
  if (result || finishedBulk !== null) return result;
  progress.bulk = null;
  if (progress.total < BULK_FROM) return null;
  return await startAndRead(admin, signal, read);
}

async function startAndRead(
  admin: Admin,
  signal: AbortSignal,
  read: (id: string) => Promise<BulkRead | 'pending' | null>,
) {
  const id = await startBulk(admin, signal);
  if (id === null) return null;
  const result = await read(id);
  if (!result) throw new AdminApiError('unavailable', bulkPoll.name);
  return result;
}

/** Rereads products that changed during the catalog read, because the read might have returned stale data for them. */
async function refreshChangedProducts({ job, merchant, signal }: JobContext, since: number, clock: () => number) {
  const jobs = await merchant.shop.jobs.list({ limit: 1000 });
  const changed = jobs.filter(
    ({ kind, state, finishedAt }) => kind === PRODUCT && state === 'done' && finishedAt! >= since,
  );
  for (const { payload } of new Map(changed.map(one => [one.key, one])).values())
    await refreshProduct(merchant, payload as ProductRequest, { signal, now: clock(), run: job.id });
}
