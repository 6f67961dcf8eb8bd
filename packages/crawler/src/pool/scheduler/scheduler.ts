import { createFairQueue, type FairQueue, type JobOrigin } from './fair-queue.ts';

/**
 * Class of callers. Jobs from callers with an API key, or from the service itself, start before jobs from visitors
 * without a key.
 */
export type Lane = 'keyed' | 'keyless';

/** Limits for one lane. */
export interface LaneLimits {
  /** Maximum number of running jobs in the lane. */
  readonly running: number;
  /** Maximum number of running jobs per tenant. */
  readonly runningPerTenant: number;
  /** Maximum number of queued jobs in the lane. */
  readonly queued: number;
  /** Maximum number of queued jobs per tenant. */
  readonly queuedPerTenant: number;
}

/** Options for {@link createScheduler}. */
export interface SchedulerOptions {
  /** Number of jobs that can run at the same time. */
  readonly slots: number;
  readonly lanes: Readonly<Record<Lane, LaneLimits>>;
  /** Returns the time in milliseconds, relative to an arbitrary starting point. */
  readonly clock: () => number;
}

/** A started job's turn. */
export interface Turn {
  /** The job's slot number, starting at 0. No other job can use the slot until the turn ends. */
  readonly slot: number;
  /** Queue time, in milliseconds. */
  readonly waitedMs: number;
  /** Frees the slot. The time since the turn started is the job's cost. */
  end(): void;
}

/** Numbers of queued and running jobs in one lane, and queue times in milliseconds. */
export interface LaneState {
  readonly queued: number;
  readonly running: number;
  /** Expected queue time for a new job. */
  readonly expectedWaitMs: number;
  /** How long the oldest queued job has been in the queue; 0 if no job is queued. */
  readonly oldestMs: number;
}

/** Decides which queued job starts next. It doesn't run jobs, so it doesn't need timers. */
export interface Scheduler {
  /**
   * Queues a job, and calls `start` once the job can start, possibly before this function returns.
   *
   * @returns a function that removes the job from the queue, and does nothing once the job has started
   * @throws QueueFullError if the lane or the tenant has too many queued jobs
   */
  submit(lane: Lane, origin: JobOrigin, start: (turn: Turn) => void): () => void;
  state(lane: Lane): LaneState;
}

/** Error for a job that was rejected because its lane or tenant has too many queued jobs. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
}

/** Maximum number of keyed jobs in a row that can overtake a waiting keyless job. After that, a keyless job starts. */
export const KEYED_STREAK = 9;

/**
 * Creates a scheduler with two lanes.
 *
 * - If keyless jobs can't use every slot, a keyed job always finds a free slot unless other keyed jobs occupy the
 *   remaining slots. A waiting keyless job starts before a waiting keyed job only after `KEYED_STREAK` keyed jobs in a
 *   row.
 * - Within a lane, slot time is shared equally among tenants, and each tenant's time is shared equally among its
 *   targets. In the keyless lane, where anyone can create new tenants at no cost, targets also get equal shares across
 *   all tenants.
 * - Keyed jobs get the lowest free slot, and keyless jobs the highest, so that the processes that parse keyed pages
 *   rarely restart because of a keyless page.
 *
 * @example
 * const scheduler = createScheduler({ slots: 2, lanes: { keyed, keyless }, clock: () => performance.now() });
 * const leave = scheduler.submit('keyed', { tenant: 'fam_1', target: 'shop.example' }, turn => work().finally(turn.end));
 */
export function createScheduler({ slots, lanes, clock }: SchedulerOptions): Scheduler {
  const free = new Set(Array.from({ length: slots }, (_, slot) => slot));
  const queues: Record<Lane, FairQueue<(turn: Turn) => void>> = {
    keyed: createFairQueue({ runningPerTenant: lanes.keyed.runningPerTenant, sharesTargets: false }),
    keyless: createFairQueue({ runningPerTenant: lanes.keyless.runningPerTenant, sharesTargets: true }),
  };
  let streak = 0;

  const next = (lane: Lane) => (queues[lane].running < lanes[lane].running ? queues[lane].next() : null);

  function dispatch(): void {
    while (free.size > 0) {
      const keyed = next('keyed');
      const keyless = next('keyless');
      const lane = keyless && (!keyed || streak >= KEYED_STREAK) ? 'keyless' : 'keyed';
      const entry = lane === 'keyless' ? keyless : keyed;
      if (!entry) return;
      streak = lane === 'keyless' ? 0 : keyless ? streak + 1 : streak;
      const slot = lane === 'keyed' ? Math.min(...free) : Math.max(...free);
      free.delete(slot);
      const startedAt = clock();
      const finish = queues[lane].start(entry);
      let isRunning = true;
      entry.item({
        slot,
        waitedMs: startedAt - entry.queuedAt,
        end() {
          if (!isRunning) return;
          isRunning = false;
          free.add(slot);
          finish(clock() - startedAt);
          dispatch();
        },
      });
    }
  }

  return {
    submit(lane, origin, start) {
      const queue = queues[lane];
      const { queued, queuedPerTenant } = lanes[lane];
      if (queue.queued >= queued) throw new QueueFullError('The queue is full.');
      if (queue.queuedOf(origin.tenant) >= queuedPerTenant) throw new QueueFullError("The caller's queue is full.");
      const remove = queue.add(origin, start, clock());
      dispatch();
      return remove;
    },
    state(lane) {
      const { queued, running, meanCost, oldestQueuedAt } = queues[lane];
      const expectedWaitMs = ((queued + 1) * meanCost) / lanes[lane].running;
      return { queued, running, expectedWaitMs, oldestMs: oldestQueuedAt === null ? 0 : clock() - oldestQueuedAt };
    },
  };
}
