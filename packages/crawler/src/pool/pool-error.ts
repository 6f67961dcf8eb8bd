/**
 * Reason for a job's failure: the job took too long, its process died, it threw an error, the queue was full, or earlier
 * jobs of the same scan used up its processor time.
 */
export type PoolReason = 'timed_out' | 'crashed' | 'threw' | 'busy' | 'over_budget';

/**
 * Error for a failed job. A failed job doesn't affect other jobs.
 *
 * @example catch (error) { if (error instanceof PoolError && error.reason === 'busy') return retryLater() }
 */
export class PoolError extends Error {
  override readonly name = 'PoolError';
  readonly reason: PoolReason;

  constructor(reason: PoolReason, message: string) {
    super(message);
    this.reason = reason;
  }

  /** Whether the job's input caused the failure (false only if the queue was full). */
  get blamesInput(): boolean {
    return this.reason !== 'busy';
  }
}
