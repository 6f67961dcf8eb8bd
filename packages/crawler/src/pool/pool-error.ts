/** How a job can fail: too slow, its process died, it threw, or too many were waiting. */
export type PoolReason = 'timed_out' | 'crashed' | 'threw' | 'busy';

/**
 * A job of the pool that gave no result. Other jobs are not affected.
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

  /** True when the input was too much for the job, false when the pool had no room for it. */
  get blamesInput(): boolean {
    return this.reason !== 'busy';
  }
}
