import { StoreError } from '../../errors.ts';
import { padIds } from '../chunks.ts';
import type { JobRow, ShopDatabase } from '../schema.ts';
import { type ShopScope, type StoreContext, toJsonText } from '../scope.ts';

/**
 * New job to enqueue. A shop has at most one live job (queued or running) per kind and key. A new job of the same kind
 * and key is merged into the live job, which is rescheduled if the new job is due earlier.
 */
export interface NewJob {
  /** Job kind, defined by the caller, such as `scan` or `catalog`. */
  readonly kind: string;
  /** Key that distinguishes live jobs of the same kind. The key is empty by default. */
  readonly key?: string | undefined;
  /**
   * Job payload (any JSON value). Defaults to null. If the new job is merged into a live job, the live job keeps its own
   * payload.
   */
  readonly payload?: unknown;
  /** Time when the job is due, in ms since the Unix epoch. Defaults to the current time. */
  readonly runAt?: number | undefined;
  /**
   * Maximum number of attempts, at least 1. Defaults to 5. If the worker crashes in every attempt, the job ends as
   * `failed`.
   */
  readonly maxAttempts?: number | undefined;
  /**
   * Behavior if the live job is already running. `join` (the default) doesn't enqueue another job. `again` runs another
   * job with this payload after the running job ends. Use `again` if, for example, data may have changed since the
   * running job read it.
   */
  readonly whileRunning?: 'join' | 'again' | undefined;
  /**
   * Whether the job also runs for a shop that uninstalled the app, for example to erase the shop's data. Defaults to
   * false.
   */
  readonly afterUninstall?: boolean | undefined;
}

/** State of a job: `queued` until the job is due and a worker claims it, then `running`. The other states are final. */
export type JobState = JobRow['state'];

/**
 * Job as shown to the merchant. Times are in ms since the Unix epoch. `startedAt` and `finishedAt` are null until the
 * job starts or finishes.
 */
export interface Job {
  readonly id: string;
  readonly kind: string;
  readonly key: string;
  readonly state: JobState;
  /** Unchanged job payload (any JSON value). */
  readonly payload: unknown;
  /** Progress that the worker last reported (any JSON value). */
  readonly progress: unknown;
  /** Result of a `done` job (any JSON value). */
  readonly result: unknown;
  /**
   * Reason code for the last failed attempt, even if another attempt follows. The worker sets every code except
   * `attempts_exhausted`.
   */
  readonly error: string | null;
  /** Number of attempts so far. */
  readonly attempts: number;
  readonly runAt: number;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
}

/** One shop's jobs. */
export interface ShopJobs {
  /**
   * Enqueues a job, or merges the job into the live job. `made` is true if a new job was enqueued.
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
}

const MAX_ATTEMPTS = 5;

export function createShopJobs(scope: ShopScope): ShopJobs {
  const { durable, clock, shop, write, writeAnyway } = scope;
  const select = () => durable.selectFrom('shop_jobs').selectAll().where('shop', '=', shop);

  return {
    enqueue: job =>
      write(async (trx, { uninstalled_at }) => {
        if (uninstalled_at !== null && !job.afterUninstall) {
          throw new StoreError(
            'shop_uninstalled',
            `${shop} has uninstalled the app. Jobs can't be enqueued for this shop until the app is reinstalled.`,
          );
        }
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

    cancel: kinds => writeAnyway(trx => cancelWithin(trx, shop, clock(), kinds)),
  };
}

/**
 * Enqueues a job in the caller's transaction, which must have locked the shop. Uses a single statement, because a
 * worker could claim the live job between two statements.
 */
export async function enqueueWithin(
  { clock, newId }: StoreContext,
  trx: ShopDatabase,
  shop: string,
  { kind, key = '', payload, runAt, maxAttempts = MAX_ATTEMPTS, whileRunning = 'join' }: NewJob,
): Promise<{ readonly job: Job; readonly made: boolean }> {
  const now = clock();
  const id = newId('job');
  const row = await trx
    .insertInto('shop_jobs')
    .values({
      ...{ id, shop, kind, key, live_key: key, state: 'queued', attempts: 0, max_attempts: maxAttempts },
      ...{ run_at: runAt ?? now, due_at: runAt ?? now, created_at: now, payload: toJsonText(payload) },
    })
    .onConflict(conflict =>
      conflict.columns(['shop', 'kind', 'live_key']).doUpdateSet(({ eb, ref }) => {
        const isEarlier = eb.and([
          eb('shop_jobs.state', '=', 'queued'),
          eb('shop_jobs.run_at', '>', ref('excluded.run_at')),
        ]);
        return {
          run_at: eb.case().when(isEarlier).then(ref('excluded.run_at')).else(ref('shop_jobs.run_at')).end(),
          due_at: eb.case().when(isEarlier).then(ref('excluded.due_at')).else(ref('shop_jobs.due_at')).end(),
          again:
            whileRunning === 'join'
              ? ref('shop_jobs.again')
              : eb.case().when('shop_jobs.state', '=', 'running').then(ref('excluded.payload')).end(),
        };
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  return { job: toJob(row), made: row.id === id };
}

/** Cancels live jobs in the caller's transaction. The workers of these jobs lose their leases. */
export async function cancelWithin(
  trx: ShopDatabase,
  shop: string,
  now: number,
  kinds?: readonly string[] | undefined,
): Promise<number> {
  const cancelled = await trx
    .updateTable('shop_jobs')
    .set({ state: 'cancelled', live_key: null, due_at: null, lease: null, again: null, finished_at: now })
    .where('shop', '=', shop)
    .where('live_key', 'is not', null)
    .$if(kinds !== undefined, query => query.where('kind', 'in', padIds(kinds ?? [])))
    .returning('id')
    .execute();
  return cancelled.length;
}

function toJob(row: JobRow): Job {
  return {
    id: row.id,
    kind: row.kind,
    key: row.key,
    state: row.state,
    payload: JSON.parse(row.payload),
    progress: row.progress && JSON.parse(row.progress),
    result: row.result && JSON.parse(row.result),
    error: row.error,
    attempts: row.attempts,
    runAt: row.run_at,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  };
}
