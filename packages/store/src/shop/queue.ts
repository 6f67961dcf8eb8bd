import { randomBytes } from 'node:crypto';
import { SqliteAdapter } from 'kysely';
import { StoreError } from '../errors.ts';
import { padIds } from './chunks.ts';
import { enqueueWithin } from './jobs/jobs.ts';
import type { JobRow, ShopDatabase } from './schema.ts';
import { createShopScope, type ShopScope, type StoreContext, toJsonText } from './scope.ts';
import { createShop, type Shop } from './shop.ts';

/**
 * Job that a worker has claimed. The lease acts as a fencing token: writes through the job fail after another worker
 * claims the job, the job is canceled, or the shop is erased.
 */
export interface ClaimedJob {
  readonly id: string;
  readonly domain: string;
  readonly kind: string;
  readonly key: string;
  readonly payload: unknown;
  /** Sequence number of this attempt. The number is greater than 1 if earlier attempts failed or their workers died. */
  readonly attempt: number;
  /** Progress that an earlier attempt reported, or null. */
  readonly progress: unknown;
  /**
   * Shop with fenced writes: each write first checks the lease in its transaction. If the lease is lost, the write
   * throws `lease_lost` and changes nothing.
   */
  readonly shop: Shop;
  /**
   * Extends the lease by `leaseMs`, and stores `progress` if given. Call this function well before the lease expires.
   * If this function returns `cancelled` or `lost`, stop working.
   *
   * @example
   * if ((await job.heartbeat({ done: 120, total: 5000 })) !== 'held') return;
   */
  heartbeat(progress?: unknown): Promise<'held' | 'cancelled' | 'lost'>;
  /**
   * Ends the job with the state `done`.
   *
   * @throws StoreError with `lease_lost`
   */
  complete(result?: unknown): Promise<void>;
  /**
   * Ends this attempt as a failure. If `retryAt` (ms since the Unix epoch) is given, the job is retried at that time
   * unless this was its last attempt. If `retryAt` is null, the job fails permanently. Returns the job's new state.
   *
   * @throws StoreError with `lease_lost`
   * @example
   * await job.fail('throttled', { retryAt: Date.now() + 60_000 });
   */
  fail(code: string, next: { readonly retryAt: number | null }): Promise<'queued' | 'failed'>;
  /**
   * Returns the job to the queue without counting the attempt. Call this function before the worker shuts down. Another
   * worker can claim the job immediately and resume from the reported progress.
   *
   * @throws StoreError with `lease_lost`
   */
  release(): Promise<void>;
}

/**
 * Job queue from which workers claim the jobs of all shops. Any number of processes can claim jobs without running any
 * job twice.
 */
export interface Jobs {
  /**
   * Claims the job of the given kinds that has been due the longest. Returns null if no job is due. A queued job is due
   * at its scheduled time. A running job is due when its lease has expired without a heartbeat. A lease from a process whose
   * clock was ahead ends within two minutes.
   *
   * @param worker worker name for logs, such as the hostname and process ID
   * @example
   * const job = await store.jobs.claim('host-1 4711', ['scan', 'catalog'], 60_000);
   */
  claim(worker: string, kinds: readonly string[], leaseMs: number): Promise<ClaimedJob | null>;
}

/** Interval at which leases that start in the future are looked for, and the clock difference that is tolerated, in ms. */
const PULL_BACK_MS = 60_000;

export function createJobs(context: StoreContext): Jobs {
  const { durable, clock } = context;
  // SQLite has no `skip locked`, and doesn't need it because only one connection can write at a time.
  const skipsLocked = !(durable.getExecutor().adapter instanceof SqliteAdapter);

  /** Claims a due job in one atomic statement. The statement locks a single row, so it can't cause a deadlock. */
  async function take(worker: string, kinds: readonly string[], leaseMs: number): Promise<JobRow | undefined> {
    const now = clock();
    const due = durable
      .selectFrom('shop_jobs')
      .select('id')
      .where('due_at', '<=', now)
      .where('kind', 'in', padIds(kinds))
      .orderBy('due_at')
      .orderBy('id')
      .limit(1)
      .$if(skipsLocked, query => query.forUpdate().skipLocked());
    return await durable
      .updateTable('shop_jobs')
      .set(eb => ({
        ...{ state: 'running', worker, lease: randomBytes(16).toString('hex'), due_at: now + leaseMs, started_at: now },
        attempts: eb('attempts', '+', 1),
      }))
      .where('id', '=', due)
      .returningAll()
      .executeTakeFirst();
  }

  let pulledBackAt = Number.NEGATIVE_INFINITY;

  /** Makes running jobs due whose leases end later than any lease that started by now, because a clock was ahead. */
  async function pullBackLeases(leaseMs: number): Promise<void> {
    const now = clock();
    if (Math.abs(now - pulledBackAt) < PULL_BACK_MS) return;
    pulledBackAt = now;
    await durable
      .updateTable('shop_jobs')
      .set({ due_at: now })
      .where('state', '=', 'running')
      .where('due_at', '>', now + leaseMs + PULL_BACK_MS)
      .execute();
  }

  return {
    async claim(worker, kinds, leaseMs) {
      await pullBackLeases(leaseMs);
      for (;;) {
        const row = await take(worker, kinds, leaseMs);
        if (!row) return null;
        if (row.attempts <= row.max_attempts) return createClaimedJob(context, row, leaseMs);
        // The job has no attempts left, and its last worker stopped responding. Several processes may claim the job at
        // the same time, but only one process ends it.
        await fencedScope(context, row)
          .write(trx =>
            end(context, trx, row, { state: 'failed', error: 'attempts_exhausted', attempts: row.max_attempts }),
          )
          .catch(passLostLease);
      }
    },
  };
}

function createClaimedJob(context: StoreContext, row: JobRow, leaseMs: number): ClaimedJob {
  const { durable, clock } = context;
  const { id, shop: domain, kind, key, attempts } = row;
  const scope = fencedScope(context, row);

  return {
    id,
    domain,
    kind,
    key,
    payload: JSON.parse(row.payload),
    attempt: attempts,
    progress: row.progress && JSON.parse(row.progress),
    shop: createShop(scope),

    async heartbeat(progress) {
      const held = await durable
        .updateTable('shop_jobs')
        .set({ due_at: clock() + leaseMs })
        .$if(progress !== undefined, query => query.set({ progress: toJsonText(progress) }))
        .where('id', '=', id)
        .where('lease', '=', row.lease)
        .returning('id')
        .executeTakeFirst();
      if (held) return 'held';
      const now = await durable.selectFrom('shop_jobs').select('state').where('id', '=', id).executeTakeFirst();
      return now?.state === 'cancelled' ? 'cancelled' : 'lost';
    },

    async complete(result) {
      await scope.write(trx => end(context, trx, row, { state: 'done', error: null, result: toJsonText(result) }));
    },

    fail: (code, { retryAt }) =>
      scope.write(async trx => {
        if (retryAt === null || attempts >= row.max_attempts) {
          await end(context, trx, row, { state: 'failed', error: code });
          return 'failed';
        }
        await trx
          .updateTable('shop_jobs')
          .set(eb => ({
            ...{ state: 'queued', run_at: retryAt, due_at: retryAt, lease: null, error: code, again: null },
            // The next attempt reads all data again, so no follow-up job is needed.
            payload: eb.fn.coalesce('again', 'payload'),
          }))
          .where('id', '=', id)
          .execute();
        return 'queued';
      }),

    release: () =>
      scope.write(async trx => {
        await trx
          .updateTable('shop_jobs')
          .set(eb => ({
            ...{ state: 'queued', due_at: clock(), lease: null, attempts: attempts - 1, again: null },
            payload: eb.fn.coalesce('again', 'payload'),
          }))
          .where('id', '=', id)
          .execute();
      }),
  };
}

/** Returns the scope of the job's shop. Writes succeed only while the lease in the given row is valid. */
function fencedScope(context: StoreContext, { id, lease, shop }: JobRow): ShopScope {
  return createShopScope(context, shop, async trx => {
    // This update doesn't change the row, but prevents other workers from claiming the job until the transaction ends.
    const held = await trx
      .updateTable('shop_jobs')
      .set(eb => ({ lease: eb.ref('lease') }))
      .where('id', '=', id)
      .where('lease', '=', lease)
      .returning('id')
      .executeTakeFirst();
    if (!held) {
      throw new StoreError(
        'lease_lost',
        `The lease on job ${id} was lost: the job was claimed by another worker, canceled, or erased.`,
      );
    }
  });
}

/** Ends a job that the caller's transaction has locked, and enqueues the follow-up job, if any. */
async function end(
  context: StoreContext,
  trx: ShopDatabase,
  { id, shop, kind, key, max_attempts }: JobRow,
  values: Pick<JobRow, 'state' | 'error'> & Partial<JobRow>,
): Promise<void> {
  const { again } = await trx.selectFrom('shop_jobs').select('again').where('id', '=', id).executeTakeFirstOrThrow();
  await trx
    .updateTable('shop_jobs')
    .set({ ...values, live_key: null, due_at: null, lease: null, again: null, finished_at: context.clock() })
    .where('id', '=', id)
    .execute();
  if (again === null) return;
  await enqueueWithin(context, trx, shop, { kind, key, payload: JSON.parse(again), maxAttempts: max_attempts });
}

function passLostLease(error: unknown): void {
  if (!(error instanceof StoreError && error.code === 'lease_lost')) throw error;
}
