import type { Database } from '../database/schema.ts';

/**
 * Outcome of one attempt. `retryAt` (milliseconds since the Unix epoch) is the end of the window, or null if this
 * attempt was allowed.
 */
export interface AttemptTake {
  readonly allowed: boolean;
  /**
   * Number of attempts in this window, including the current attempt. All rejected attempts in the window count as one.
   */
  readonly count: number;
  readonly retryAt: number | null;
}

/**
 * Attempt counters per time window, exact across any number of processes. The counters are used, for example, to limit
 * failed sign-ins and form submissions from one IP address.
 */
export interface Attempts {
  /**
   * Counts one attempt under a name, or rejects it. The window starts with the first attempt. After the window ends,
   * its data is deleted. If the window starts in the future because a clock was ahead, the window is treated as
   * starting now.
   *
   * @example
   * const { allowed } = await store.attempts.take('beta 203.0.113.7', { quota: 10, windowMs: 3_600_000 });
   */
  take(name: string, limit: { readonly quota: number; readonly windowMs: number }): Promise<AttemptTake>;
  /** Deletes the attempts recorded under a name, for example after a successful sign-in. */
  clear(name: string): Promise<void>;
}

export function createAttempts(bestEffort: Database, clock: () => number): Attempts {
  return {
    async take(name, { quota, windowMs }) {
      const now = clock();
      // Delete ended windows, because names can contain IP addresses, which must not be kept longer than necessary.
      await bestEffort.deleteFrom('attempts').where('reset_at', '<=', now).execute();
      // This atomic statement increments the count, but never beyond the quota plus one.
      const { count, reset_at } = await bestEffort
        .insertInto('attempts')
        .values({ name, count: 1, reset_at: now + windowMs })
        .onConflict(conflict =>
          conflict.column('name').doUpdateSet(eb => ({
            count: eb
              .case()
              .when('attempts.count', '>', quota)
              .then(eb.ref('attempts.count'))
              .else(eb('attempts.count', '+', 1))
              .end(),
            reset_at: eb
              .case()
              .when('attempts.reset_at', '>', now + windowMs)
              .then(eb.ref('excluded.reset_at'))
              .else(eb.ref('attempts.reset_at'))
              .end(),
          })),
        )
        .returning(['count', 'reset_at'])
        .executeTakeFirstOrThrow();
      const allowed = count <= quota;
      return { allowed, count, retryAt: allowed ? null : reset_at };
    },

    async clear(name) {
      await bestEffort.deleteFrom('attempts').where('name', '=', name).execute();
    },
  };
}
