import type { Database } from '../../database/schema.ts';
import { StoreError } from '../../errors.ts';
import { padded } from '../batches.ts';
import type { JobRow } from '../schema.ts';
import { type Ground, type Scope, toJson } from '../scope.ts';

/**
 * Work to be done for a shop. There is one live job (waiting or running) of a shop, kind and key: to enqueue it again joins
 * the one there is, and brings its time forward when the new one is earlier.
 */
export interface NewJob {
  /** The caller's word: `scan`, `catalog`, … */
  readonly kind: string;
  /** Tells several live jobs of one kind apart. Empty when left out. */
  readonly key?: string | undefined;
  /** Any JSON value; null when left out. The job that is joined keeps its own. */
  readonly payload?: unknown;
  /** ms since epoch; now when left out. */
  readonly runAt?: number | undefined;
  /** How often it is started in all, 1 or more; 5 when left out. A job that kills its worker each time ends as `failed`. */
  readonly maxAttempts?: number | undefined;
  /**
   * What to do when the live job is running already: `join` it (when left out), or run `again` with this payload once it
   * has ended, as when something changed that it may have read before.
   */
  readonly whileRunning?: 'join' | 'again' | undefined;
  /** Whether it is work for a shop that has removed the app, such as erasing what is left. False when left out. */
  readonly afterUninstall?: boolean | undefined;
}

/** `queued` until its time and a worker come, then `running`. The others are final. */
export type JobState = JobRow['state'];

/** A job as a page shows it. Times are ms since epoch; what has not happened is null. */
export interface Job {
  readonly id: string;
  readonly kind: string;
  readonly key: string;
  readonly state: JobState;
  /** Any JSON value, as it was given. */
  readonly payload: unknown;
  /** What the worker said last, any JSON value. */
  readonly progress: unknown;
  /** What a `done` job gave, any JSON value. */
  readonly result: unknown;
  /** Why it failed, also of the last attempt while another is to come: a word of the worker's, or `attempts_exhausted`. */
  readonly error: string | null;
  /** How often it was started. */
  readonly attempts: number;
  readonly runAt: number;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
}

/** The jobs of one shop. */
export interface OwnJobs {
  /**
   * Enqueues a job, or joins the live one. `made` says which.
   *
   * @throws StoreError `shop_unknown`, `shop_uninstalled`; `lease_lost` behind a fence
   * @example
   * const { job, made } = await store.shop(domain).jobs.enqueue({ kind: 'scan', payload: { trigger: 'merchant' } });
   */
  enqueue(job: NewJob): Promise<{ readonly job: Job; readonly made: boolean }>;
  /** The shop's job with this id, or null. A page reads its progress live. */
  get(id: string): Promise<Job | null>;
  /** The newest job of a kind, live or ended, or null. */
  latest(kind: string): Promise<Job | null>;
  /** Newest first, at most `limit`. */
  list(query: { readonly limit: number }): Promise<readonly Job[]>;
  /** Cancels the live jobs of these kinds, or all; running ones learn it at their next heartbeat. Gives how many. */
  cancel(kinds?: readonly string[]): Promise<number>;
}

const MAX_ATTEMPTS = 5;

export function createOwnJobs(scope: Scope): OwnJobs {
  const { ledger, clock, shop, write, writeAnyway } = scope;
  const select = () => ledger.selectFrom('shop_jobs').selectAll().where('shop', '=', shop);

  return {
    enqueue: job =>
      write(async (trx, { uninstalled_at }) => {
        if (uninstalled_at !== null && !job.afterUninstall) {
          throw new StoreError(
            'shop_uninstalled',
            `${shop} has removed the app. It is worked for again when it is back.`,
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

/** Enqueues in the transaction of the caller, who holds the shop. One statement: a worker may take the live job meanwhile. */
export async function enqueueWithin(
  { clock, newId }: Ground,
  trx: Database,
  shop: string,
  { kind, key = '', payload, runAt, maxAttempts = MAX_ATTEMPTS, whileRunning = 'join' }: NewJob,
): Promise<{ readonly job: Job; readonly made: boolean }> {
  const now = clock();
  const id = newId('job');
  const row = await trx
    .insertInto('shop_jobs')
    .values({
      ...{ id, shop, kind, key, live_key: key, state: 'queued', attempts: 0, max_attempts: maxAttempts },
      ...{ run_at: runAt ?? now, due_at: runAt ?? now, created_at: now, payload: toJson(payload) },
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

/** Ends live jobs in the transaction of the caller. Their workers find their leases gone. */
export async function cancelWithin(
  trx: Database,
  shop: string,
  now: number,
  kinds?: readonly string[] | undefined,
): Promise<number> {
  const cancelled = await trx
    .updateTable('shop_jobs')
    .set({ state: 'cancelled', live_key: null, due_at: null, lease: null, again: null, finished_at: now })
    .where('shop', '=', shop)
    .where('live_key', 'is not', null)
    .$if(kinds !== undefined, query => query.where('kind', 'in', padded(kinds ?? [])))
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
