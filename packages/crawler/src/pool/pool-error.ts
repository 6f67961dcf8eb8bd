/**
 * Reason for a job's failure.
 *
 * - `timed_out`: the job exceeded its time limit, or the caller's deadline passed.
 * - `crashed`: the job's process died.
 * - `not_started`: the job's process didn't start, or couldn't load the job's code, so the job never ran.
 * - `threw`: the job threw an error.
 * - `busy`: the queue was full, the pool was closed, or the caller's deadline passed while the job was queued.
 * - `canceled`: the caller canceled the job.
 * - `over_budget`: earlier jobs in the same scan used up the scan's worker time.
 */
export type PoolReason = 'timed_out' | 'crashed' | 'not_started' | 'threw' | 'busy' | 'canceled' | 'over_budget';

/**
 * Error for a failed job. A failed job doesn't affect other jobs.
 *
 * @example catch (error) { if (error instanceof PoolError && error.reason === 'busy') return retryLater(error.retryAfterMs) }
 */
export class PoolError extends Error {
  override readonly name = 'PoolError';
  readonly reason: PoolReason;
  /** Expected queue time for a new job, in milliseconds. Set only for `busy`. */
  readonly retryAfterMs: number | undefined;

  constructor(reason: PoolReason, message: string, retryAfterMs?: number) {
    super(message);
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }

  /**
   * Whether the failure is attributed to the job's input, which is the case for all reasons except `busy`, `canceled`,
   * and `not_started`.
   */
  get blamesInput(): boolean {
    return !['busy', 'canceled', 'not_started'].includes(this.reason);
  }
}
