import { StoreError } from '../errors.ts';
import * as jobs from '../jobs/job.ts';
import { type Job, type JobDatabase, jobTable, toJob } from '../jobs/job.ts';
import type { ShopDatabase } from './schema.ts';
import type { ShopScope, StoreContext } from './scope.ts';

/** New job to enqueue for a shop. */
export interface NewJob extends jobs.NewQueuedJob {
  /**
   * Whether the job also runs for a shop that uninstalled the app, for example to erase the shop's data. Defaults to
   * false.
   */
  readonly afterUninstall?: boolean | undefined;
}

/** One shop's jobs. */
export interface ShopJobs {
  /**
   * Enqueues a job, or merges the job into an existing live job. `made` is true if a new job was enqueued.
   *
   * @throws StoreError with `shop_unknown` or `shop_uninstalled`, or with `lease_lost` if called through a job whose
   * lease was lost
   * @example
   * const { job, made } = await store.shop(domain).jobs.enqueue({ kind: 'scan', payload: { trigger: 'merchant' } });
   */
  enqueue(job: NewJob): Promise<{ readonly job: Job; readonly made: boolean }>;
  /** Returns the shop's job with this ID, or null. The app polls this function for progress. */
  get(id: string): Promise<Job | null>;
  /**
   * Returns the newest job of a kind, whether live or ended. Returns null if the shop doesn't have a job of this kind.
   */
  latest(kind: string): Promise<Job | null>;
  /** Lists at most `limit` jobs, newest first. */
  list(query: { readonly limit: number }): Promise<readonly Job[]>;
  /**
   * Cancels live jobs of the given kinds, or of all kinds by default. The next heartbeat of a running job reports the
   * cancellation. Returns the number of canceled jobs.
   */
  cancel(kinds?: readonly string[]): Promise<number>;
  /**
   * Enqueues a failed job again and resets its attempt count. Returns false if the shop has no failed job with this ID,
   * or if a live job of the same kind and key already exists.
   *
   * @throws StoreError with `shop_unknown` or `shop_uninstalled`
   */
  redrive(id: string): Promise<boolean>;
}

/** Job table for all shops. */
export const SHOP_JOBS = jobTable('shop_jobs', 'shop');

/** Returns the same connection, typed for statements on the job table. */
export function withJobTable(db: ShopDatabase): JobDatabase {
  return db as unknown as JobDatabase;
}

export function createShopJobs(scope: ShopScope): ShopJobs {
  const { durable, shop, write, writeAnyway } = scope;
  const select = () => durable.selectFrom('shop_jobs').selectAll().where('shop', '=', shop);

  return {
    enqueue: job =>
      write(async (trx, { uninstalled_at }) => {
        if (!job.afterUninstall) refuseUninstalled(shop, uninstalled_at);
        return await enqueueWithin(scope, trx, shop, job);
      }),

    async get(id) {
      const row = await select().where('id', '=', id).executeTakeFirst();
      return row ? toJob(row) : null;
    },

    async latest(kind) {
      const row = await select().where('kind', '=', kind).orderBy('id', 'desc').limit(1).executeTakeFirst();
      return row ? toJob(row) : null;
    },

    async list({ limit }) {
      const rows = await select().orderBy('id', 'desc').limit(limit).execute();
      return rows.map(toJob);
    },

    cancel: kinds => writeAnyway(trx => cancelWithin(scope, trx, shop, kinds)),

    redrive: id =>
      write(async (trx, { uninstalled_at }) => {
        refuseUninstalled(shop, uninstalled_at);
        return (await jobs.redriveInTable({ ...scope, table: SHOP_JOBS }, withJobTable(trx), shop, { id })) > 0;
      }),
  };
}

function refuseUninstalled(shop: string, uninstalledAt: number | null): void {
  if (uninstalledAt === null) return;
  throw new StoreError(
    'shop_uninstalled',
    `${shop} has uninstalled the app. Jobs can't be enqueued for this shop until the app is reinstalled.`,
  );
}

/** Enqueues a job in the caller's transaction, which must have locked the shop. */
export const enqueueWithin = (context: StoreContext, trx: ShopDatabase, shop: string, job: NewJob) =>
  jobs.enqueueInTable({ ...context, table: SHOP_JOBS }, withJobTable(trx), shop, job);

/** Cancels a shop's live jobs in the caller's transaction. The workers of these jobs lose their leases. */
export const cancelWithin = (context: StoreContext, trx: ShopDatabase, shop: string, kinds?: readonly string[]) =>
  jobs.cancelInTable({ ...context, table: SHOP_JOBS }, withJobTable(trx), shop, { kinds });
