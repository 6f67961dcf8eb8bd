import { randomBytes } from 'node:crypto';
import { SqliteAdapter } from 'kysely';
import type { Database } from '../../database/schema.ts';
import { StoreError } from '../../errors.ts';
import { padded } from '../batches.ts';
import type { JobRow } from '../schema.ts';
import { createScope, type Ground, type Scope, toJson } from '../scope.ts';
import { createShop, type Shop } from '../shop.ts';
import { enqueueWithin } from './jobs.ts';

/**
 * A job that a worker holds. Its lease is a fence: once another worker has taken the job, or it was cancelled, or the shop
 * erased, nothing that goes through here writes anything any more.
 */
export interface ClaimedJob {
  readonly id: string;
  readonly domain: string;
  readonly kind: string;
  readonly key: string;
  readonly payload: unknown;
  /** 1, or higher when earlier attempts failed or their workers died. */
  readonly attempt: number;
  /** The progress that an earlier attempt left, or null. */
  readonly progress: unknown;
  /**
   * The shop, behind the fence: each of its writes is one transaction that first checks the lease, and throws `lease_lost`
   * and changes nothing when it is gone.
   */
  readonly shop: Shop;
  /**
   * Keeps the lease for another `leaseMs`, and the progress when it is given. Call it well within `leaseMs`.
   * `cancelled` and `lost`: stop, there is nothing more to do.
   *
   * @example
   * if ((await job.heartbeat({ done: 120, total: 5000 })) !== 'held') return;
   */
  heartbeat(progress?: unknown): Promise<'held' | 'cancelled' | 'lost'>;
  /** Ends it as done. @throws StoreError `lease_lost` */
  complete(result?: unknown): Promise<void>;
  /**
   * Ends this attempt. With `retryAt` (ms since epoch) the job waits for then, unless that was its last attempt; with null
   * it has failed for good. Gives which.
   *
   * @throws StoreError `lease_lost`
   * @example
   * await job.fail('throttled', { retryAt: Date.now() + 60_000 });
   */
  fail(code: string, next: { readonly retryAt: number | null }): Promise<'queued' | 'failed'>;
  /**
   * Gives it back as if it had not been started, for a worker that is told to stop: another may take it at once, and finds
   * the progress that was left. @throws StoreError `lease_lost`
   */
  release(): Promise<void>;
}

/** The queue of all shops, for workers. Exact across any number of processes. */
export interface Jobs {
  /**
   * Takes the job that is due for longest, of these kinds, or null when none is. One that waits is due at its time, one
   * that runs when its lease has ended without a heartbeat.
   *
   * @param worker a name for logs, such as host and process id
   * @example
   * const job = await store.jobs.claim('host-1 4711', ['scan', 'catalog'], 60_000);
   */
  claim(worker: string, kinds: readonly string[], leaseMs: number): Promise<ClaimedJob | null>;
}

export function createJobs(ground: Ground): Jobs {
  const { ledger, clock } = ground;
  // SQLite has one writer at a time, and no word for this.
  const skipsLocked = !(ledger.getExecutor().adapter instanceof SqliteAdapter);

  /** One atomic statement. It holds one row alone, so it can wait for nobody who waits for it. */
  async function take(worker: string, kinds: readonly string[], leaseMs: number): Promise<JobRow | undefined> {
    const now = clock();
    const due = ledger
      .selectFrom('shop_jobs')
      .select('id')
      .where('due_at', '<=', now)
      .where('kind', 'in', padded(kinds))
      .orderBy('due_at')
      .orderBy('id')
      .limit(1)
      .$if(skipsLocked, query => query.forUpdate().skipLocked());
    return await ledger
      .updateTable('shop_jobs')
      .set(eb => ({
        ...{ state: 'running', worker, lease: randomBytes(16).toString('hex'), due_at: now + leaseMs, started_at: now },
        attempts: eb('attempts', '+', 1),
      }))
      .where('id', '=', due)
      .returningAll()
      .executeTakeFirst();
  }

  return {
    async claim(worker, kinds, leaseMs) {
      for (;;) {
        const row = await take(worker, kinds, leaseMs);
        if (!row) return null;
        if (row.attempts <= row.max_attempts) return createClaimedJob(ground, row, leaseMs);
        // Its last worker said nothing more. Whoever is quicker to end it, it is ended.
        await fencedScope(ground, row)
          .write(trx =>
            end(ground, trx, row, { state: 'failed', error: 'attempts_exhausted', attempts: row.max_attempts }),
          )
          .catch(passLostLease);
      }
    },
  };
}

function createClaimedJob(ground: Ground, row: JobRow, leaseMs: number): ClaimedJob {
  const { ledger, clock } = ground;
  const { id, shop: domain, kind, key, attempts } = row;
  const scope = fencedScope(ground, row);

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
      const held = await ledger
        .updateTable('shop_jobs')
        .set({ due_at: clock() + leaseMs })
        .$if(progress !== undefined, query => query.set({ progress: toJson(progress) }))
        .where('id', '=', id)
        .where('lease', '=', row.lease)
        .returning('id')
        .executeTakeFirst();
      if (held) return 'held';
      const now = await ledger.selectFrom('shop_jobs').select('state').where('id', '=', id).executeTakeFirst();
      return now?.state === 'cancelled' ? 'cancelled' : 'lost';
    },

    async complete(result) {
      await scope.write(trx => end(ground, trx, row, { state: 'done', error: null, result: toJson(result) }));
    },

    fail: (code, { retryAt }) =>
      scope.write(async trx => {
        if (retryAt === null || attempts >= row.max_attempts) {
          await end(ground, trx, row, { state: 'failed', error: code });
          return 'failed';
        }
        await trx
          .updateTable('shop_jobs')
          .set(eb => ({
            ...{ state: 'queued', run_at: retryAt, due_at: retryAt, lease: null, error: code, again: null },
            // The next attempt reads anew, so it is the one that was to follow.
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

/** The shop of a job, for as long as the job is held under the lease of this row. */
function fencedScope(ground: Ground, { id, lease, shop }: JobRow): Scope {
  return createScope(ground, shop, async trx => {
    // Writing it unchanged keeps others from taking the job until the transaction has ended.
    const held = await trx
      .updateTable('shop_jobs')
      .set(eb => ({ lease: eb.ref('lease') }))
      .where('id', '=', id)
      .where('lease', '=', lease)
      .returning('id')
      .executeTakeFirst();
    if (!held) {
      throw new StoreError('lease_lost', `Job ${id} is no longer held: taken by another worker, cancelled or erased.`);
    }
  });
}

/** Ends a job that the transaction holds, and enqueues the one that is to follow. */
async function end(
  ground: Ground,
  trx: Database,
  { id, shop, kind, key, max_attempts }: JobRow,
  values: Pick<JobRow, 'state' | 'error'> & Partial<JobRow>,
): Promise<void> {
  const { again } = await trx.selectFrom('shop_jobs').select('again').where('id', '=', id).executeTakeFirstOrThrow();
  await trx
    .updateTable('shop_jobs')
    .set({ ...values, live_key: null, due_at: null, lease: null, again: null, finished_at: ground.clock() })
    .where('id', '=', id)
    .execute();
  if (again === null) return;
  await enqueueWithin(ground, trx, shop, { kind, key, payload: JSON.parse(again), maxAttempts: max_attempts });
}

function passLostLease(error: unknown): void {
  if (!(error instanceof StoreError && error.code === 'lease_lost')) throw error;
}
