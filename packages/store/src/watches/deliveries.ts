import type { NewId } from '../database/ids.ts';
import type { Database } from '../database/schema.ts';
import { enqueueManyInTable, type JobDatabase, type JobState, jobTable, redriveInTable } from '../jobs/job.ts';
import { type ClaimOptions, createQueue, type LeasedJob, type QueueView } from '../jobs/queue.ts';

/** State of an event's delivery. `delivery` is `none` if the watch had no webhook when the event occurred. */
export interface DeliveryState {
  readonly delivery: 'none' | 'pending' | 'delivered' | 'dead';
  readonly attempts: number;
  /** Reason that the last delivery attempt failed, or null. */
  readonly error: string | null;
}

/** Queue of webhook deliveries: one job for each event of a watch with a webhook. */
interface Deliveries {
  readonly queue: QueueView;
  /** Enqueues the deliveries of new events in the caller's transaction. */
  enqueue(
    trx: Database,
    watch: { readonly id: string; readonly family: string },
    events: readonly { readonly seq: number }[],
  ): Promise<void>;
  claim(
    worker: string,
    leaseMs: number,
    options?: ClaimOptions,
  ): Promise<{ readonly watchId: string; readonly seq: number; readonly job: LeasedJob } | null>;
  /**
   * Looks up the delivery states of events. Returns a function that maps an event's sequence number to its state.
   */
  statesOf(watchId: string, seqs: readonly number[]): Promise<(seq: number) => DeliveryState>;
  /**
   * Schedules a watch's deliveries for immediate redelivery if they're in one of `states` and their sequence numbers
   * are greater than `after`. Returns the number of scheduled deliveries.
   */
  redrive(
    watch: { readonly id: string; readonly family: string },
    which: { readonly after: number; readonly states: readonly JobState[] },
  ): Promise<number>;
  /** Deletes a watch's deliveries that were created before the specified time, in the caller's transaction. */
  deleteBefore(trx: Database, watchId: string, createdBefore: number): Promise<void>;
}

const KIND = 'webhook';

/** Maximum number of attempts. The pauses between attempts give a receiver about three days to recover. */
const MAX_ATTEMPTS = 10;

const SEQ_DIGITS = 10;

const STATES = {
  ...{ queued: 'pending', running: 'pending', done: 'delivered' },
  ...{ failed: 'dead', cancelled: 'dead' },
} as const satisfies Record<JobState, DeliveryState['delivery']>;

/** Returns a delivery's key. A watch's keys sort by sequence number. */
const keyOf = (watchId: string, seq: number) => `${watchId}/${`${seq}`.padStart(SEQ_DIGITS, '0')}`;

export function createDeliveries(database: Database, clock: () => number, newId: NewId): Deliveries {
  const withJobs = (db: Database) => db as unknown as JobDatabase;
  const table = jobTable('webhook_jobs', 'family');
  const context = { table, clock, newId };
  const durable = withJobs(database);
  const queue = createQueue({
    ...context,
    durable,
    transact: (_, fence, work) =>
      durable.transaction().execute(async trx => {
        await fence(trx);
        return await work(trx);
      }),
  });
  const of = (watchId: string, db = durable) =>
    db.selectFrom(table.name).where('key', '>=', `${watchId}/`).where('key', '<', `${watchId}0`);

  return {
    queue,

    async enqueue(trx, { id, family }, events) {
      const jobs = events.map(({ seq }) => ({ kind: KIND, key: keyOf(id, seq), maxAttempts: MAX_ATTEMPTS }));
      await enqueueManyInTable(context, withJobs(trx), family, jobs);
    },

    async claim(worker, leaseMs, options) {
      const job = await queue.claim(worker, [KIND], leaseMs, options);
      if (!job) return null;
      const [watchId, seq] = job.key.split('/') as [string, string];
      return { watchId, seq: Number(seq), job };
    },

    async statesOf(watchId, seqs) {
      const keys = seqs.map(seq => keyOf(watchId, seq));
      const query = of(watchId).select(['key', 'state', 'attempts', 'error']);
      const jobs = keys.length === 0 ? [] : await query.where('key', 'in', keys).execute();
      const byKey = new Map(jobs.map(job => [job.key, job]));
      return seq => {
        const job = byKey.get(keyOf(watchId, seq));
        if (!job) return { delivery: 'none', attempts: 0, error: null };
        return { delivery: STATES[job.state], attempts: job.attempts, error: job.error };
      };
    },

    redrive: ({ id, family }, { after, states }) =>
      durable.transaction().execute(async trx => {
        const keys = { from: keyOf(id, after + 1), before: `${id}0` };
        return await redriveInTable(context, trx, family, keys, states);
      }),

    async deleteBefore(trx, watchId, createdBefore) {
      await withJobs(trx)
        .deleteFrom(table.name)
        .where('key', '>=', `${watchId}/`)
        .where('key', '<', `${watchId}0`)
        .where('created_at', '<', createdBefore)
        .execute();
    },
  };
}
