import type { ExpressionBuilder, OnConflictDatabase, OnConflictTables } from 'kysely';
import { StoreError } from './errors.ts';
import type { Database, RateLimitRow, Schema } from './schema.ts';

/** Requests that one key family may make, per minute and per day. Whole numbers from 1. */
export interface LimitQuotas {
  readonly minute: number;
  readonly day: number;
}

/** One window's state after a take. `remaining` is never negative; `resetAt` is ms since epoch. */
export interface LimitWindow {
  readonly name: 'minute' | 'day';
  readonly quota: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  readonly resetAt: number;
}

/**
 * The answer to one request. `windows` is always minute, then day. `retryAt` (ms since epoch) is the earliest moment
 * at which a retry can pass; null when this request was allowed.
 */
export interface LimitTake {
  readonly allowed: boolean;
  readonly windows: readonly [minute: LimitWindow, day: LimitWindow];
  readonly retryAt: number | null;
}

/** Exact request limits per key family, across any number of processes on one database. */
export interface Limits {
  /**
   * Counts one request, or refuses it. A window starts at the family's first request and lasts its full length.
   * A refused request counts in neither window.
   *
   * @example
   * const { allowed, retryAt } = await store.limits.take(record.family);
   */
  take(family: string): Promise<LimitTake>;
}

const WINDOW_MS = { minute: 60_000, day: 86_400_000 } as const;
const DEFAULT_QUOTAS: LimitQuotas = { minute: 100, day: 10_000 };

type Window = keyof typeof WINDOW_MS;

/** The stored row beside `excluded`, the row that the insert would have made. */
type Conflict = ExpressionBuilder<OnConflictDatabase<Schema, 'rate_limits'>, OnConflictTables<'rate_limits'>>;

export function createLimits(counters: Database, clock: () => number, chosen: Partial<LimitQuotas> = {}): Limits {
  const quotas = { ...DEFAULT_QUOTAS, ...chosen };
  for (const [name, quota] of Object.entries(quotas)) {
    if (!Number.isSafeInteger(quota) || quota < 1) {
      throw new StoreError('config_invalid', `limits.${name} must be a whole number from 1, not ${quota}.`);
    }
  }

  /** One atomic statement: it counts in both windows, or, when one is full, writes nothing and returns nothing. */
  function count(family: string, now: number): Promise<RateLimitRow | undefined> {
    const lapsed = (eb: Conflict, window: Window) => eb(`rate_limits.${window}_reset_at`, '<=', now);
    const hasRoom = (eb: Conflict, window: Window) =>
      eb.or([lapsed(eb, window), eb(`rate_limits.${window}_count`, '<', quotas[window])]);
    const nextCount = (eb: Conflict, window: Window) =>
      eb
        .case()
        .when(lapsed(eb, window))
        .then(eb.ref(`excluded.${window}_count`))
        .else(eb(`rate_limits.${window}_count`, '+', 1))
        .end();
    const nextResetAt = (eb: Conflict, window: Window) =>
      eb
        .case()
        .when(lapsed(eb, window))
        .then(eb.ref(`excluded.${window}_reset_at`))
        .else(eb.ref(`rate_limits.${window}_reset_at`))
        .end();

    return counters
      .insertInto('rate_limits')
      .values({
        family,
        minute_count: 1,
        minute_reset_at: now + WINDOW_MS.minute,
        day_count: 1,
        day_reset_at: now + WINDOW_MS.day,
      })
      .onConflict(conflict =>
        conflict
          .column('family')
          .doUpdateSet(eb => ({
            minute_count: nextCount(eb, 'minute'),
            minute_reset_at: nextResetAt(eb, 'minute'),
            day_count: nextCount(eb, 'day'),
            day_reset_at: nextResetAt(eb, 'day'),
          }))
          .where(eb => eb.and([hasRoom(eb, 'minute'), hasRoom(eb, 'day')])),
      )
      .returningAll()
      .executeTakeFirst();
  }

  function windowOf(row: RateLimitRow, window: Window, now: number): LimitWindow {
    const lapsed = row[`${window}_reset_at`] <= now;
    return {
      name: window,
      quota: quotas[window],
      windowSeconds: WINDOW_MS[window] / 1000,
      remaining: lapsed ? quotas[window] : Math.max(0, quotas[window] - row[`${window}_count`]),
      resetAt: lapsed ? now + WINDOW_MS[window] : row[`${window}_reset_at`],
    };
  }

  return {
    async take(family) {
      const now = clock();
      for (;;) {
        const counted = await count(family, now);
        const row =
          counted ??
          (await counters.selectFrom('rate_limits').selectAll().where('family', '=', family).executeTakeFirstOrThrow());
        const windows = [windowOf(row, 'minute', now), windowOf(row, 'day', now)] as const;
        if (counted) return { allowed: true, windows, retryAt: null };
        const full = windows.filter(window => window.remaining === 0);
        // None is full when another process, its clock ahead of ours, began a window between the two statements.
        if (full.length > 0)
          return { allowed: false, windows, retryAt: Math.max(...full.map(({ resetAt }) => resetAt)) };
      }
    },
  };
}
