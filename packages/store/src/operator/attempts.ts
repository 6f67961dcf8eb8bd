import type { Database } from '../database/schema.ts';

/** The answer to one attempt. `retryAt` (ms since epoch) is when the window ends; null when this attempt was allowed. */
export interface AttemptTake {
  readonly allowed: boolean;
  /** How many attempts this window has seen, this one included; a refused one counts as one more than the quota. */
  readonly count: number;
  readonly retryAt: number | null;
}

/** Exact counts of attempts in windows, across any number of processes: failed sign-ins, forms from one address. */
export interface Attempts {
  /**
   * Counts one attempt under a name, or refuses it. The window starts at the name's first attempt. What a window held is
   * forgotten once it has ended.
   *
   * @example
   * const { allowed } = await store.attempts.take('beta 203.0.113.7', { quota: 10, windowMs: 3_600_000 });
   */
  take(name: string, limit: { readonly quota: number; readonly windowMs: number }): Promise<AttemptTake>;
  /** Forgets a name's attempts, as after a sign-in that succeeded. */
  clear(name: string): Promise<void>;
}

export function createAttempts(counters: Database, clock: () => number): Attempts {
  return {
    async take(name, { quota, windowMs }) {
      const now = clock();
      // Names can hold addresses of people, which are kept no longer than they are needed.
      await counters.deleteFrom('attempts').where('reset_at', '<=', now).execute();
      // One atomic statement; it counts one past the quota and no further.
      const { count, reset_at } = await counters
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
          })),
        )
        .returning(['count', 'reset_at'])
        .executeTakeFirstOrThrow();
      const allowed = count <= quota;
      return { allowed, count, retryAt: allowed ? null : reset_at };
    },

    async clear(name) {
      await counters.deleteFrom('attempts').where('name', '=', name).execute();
    },
  };
}
