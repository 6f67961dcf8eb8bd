import type { ExpressionBuilder, OnConflictDatabase, OnConflictTables } from 'kysely';
import { compileOnce } from '../database/compiled.ts';
import type { Database, RateLimitRow, Schema } from '../database/schema.ts';
import { StoreError } from '../errors.ts';

/** Requests that one subject may make, per minute and per day. Whole numbers from 1. */
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

/** Exact request limits per subject, across any number of processes on one database. */
export interface Limits {
  /**
   * Counts one request, or refuses it. A window starts at the subject's first request and lasts its full length.
   * A refused request counts in neither window. A subject is a key family, or what else is counted by: it is kept for
   * some 25 hours after its last request. `quotas` are the store's unless given.
   *
   * @example
   * const { allowed, retryAt } = await store.limits.take(record.family);
   */
  take(subject: string, quotas?: LimitQuotas): Promise<LimitTake>;
}

const WINDOW_MS = { minute: 60_000, day: 86_400_000 } as const;
const DEFAULT_QUOTAS: LimitQuotas = { minute: 100, day: 10_000 };

/** How often rows are deleted whose windows have ended, and how long after, since the clocks of processes differ. */
const FORGET_MS = 3_600_000;

/** How many subjects are remembered as refused. Beyond that the database is asked again, which costs time alone. */
const MAX_REFUSED = 10_000;

type Window = keyof typeof WINDOW_MS;

/** The stored row beside `excluded`, the row that the insert would have made. */
type Conflict = ExpressionBuilder<OnConflictDatabase<Schema, 'rate_limits'>, OnConflictTables<'rate_limits'>>;

interface Count {
  family: string;
  now: number;
  quotaOfMinute: number;
  quotaOfDay: number;
  endOfMinute: number;
  endOfDay: number;
}

export function createLimits(counters: Database, clock: () => number, chosen: Partial<LimitQuotas> = {}): Limits {
  const own = { ...DEFAULT_QUOTAS, ...chosen };
  for (const [name, quota] of Object.entries(own)) {
    if (!Number.isSafeInteger(quota) || quota < 1) {
      throw new StoreError('config_invalid', `limits.${name} must be a whole number from 1, not ${quota}.`);
    }
  }

  const count = compileCount(counters);
  const find = compileOnce(counters, ({ family }: { family: string }) =>
    counters.selectFrom('rate_limits').selectAll().where('family', '=', family),
  );
  const forget = compileOnce(counters, ({ before }: { before: number }) =>
    counters.deleteFrom('rate_limits').where('minute_reset_at', '<', before).where('day_reset_at', '<', before),
  );
  let forgotAt = clock();

  // A full row stands still until a window ends, so a subject that keeps asking is refused without the database.
  const refused = new Map<string, RateLimitRow>();

  return {
    async take(subject, quotas = own) {
      const now = clock();
      const held = refused.get(subject);
      if (held) {
        const refusal = refusalOf(held, quotas, now);
        if (refusal) return refusal;
        refused.delete(subject);
      }
      if (now - forgotAt >= FORGET_MS) {
        forgotAt = now;
        await forget({ before: now - FORGET_MS });
      }
      for (;;) {
        const [counted] = await count({
          family: subject,
          now,
          quotaOfMinute: quotas.minute,
          quotaOfDay: quotas.day,
          endOfMinute: now + WINDOW_MS.minute,
          endOfDay: now + WINDOW_MS.day,
        });
        if (counted) return { allowed: true, windows: windowsOf(counted, quotas, now), retryAt: null };
        const [row] = await find({ family: subject });
        const refusal = row && refusalOf(row, quotas, now);
        // None is full when another process, its clock ahead of ours, began a window between the two statements.
        if (!refusal) continue;
        if (refused.size >= MAX_REFUSED) refused.clear();
        refused.set(subject, row);
        return refusal;
      }
    },
  };
}

/** One atomic statement: it counts in both windows, or, when one is full, writes nothing and returns nothing. */
function compileCount(counters: Database): (values: Count) => Promise<RateLimitRow[]> {
  return compileOnce(counters, ({ family, now, quotaOfMinute, quotaOfDay, endOfMinute, endOfDay }: Count) => {
    const lapsed = (eb: Conflict, window: Window) => eb(`rate_limits.${window}_reset_at`, '<=', now);
    const hasRoom = (eb: Conflict, window: Window, quota: number) =>
      eb.or([lapsed(eb, window), eb(`rate_limits.${window}_count`, '<', quota)]);
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
      .values({ family, minute_count: 1, minute_reset_at: endOfMinute, day_count: 1, day_reset_at: endOfDay })
      .onConflict(conflict =>
        conflict
          .column('family')
          .doUpdateSet(eb => ({
            minute_count: nextCount(eb, 'minute'),
            minute_reset_at: nextResetAt(eb, 'minute'),
            day_count: nextCount(eb, 'day'),
            day_reset_at: nextResetAt(eb, 'day'),
          }))
          .where(eb => eb.and([hasRoom(eb, 'minute', quotaOfMinute), hasRoom(eb, 'day', quotaOfDay)])),
      )
      .returningAll();
  });
}

function refusalOf(row: RateLimitRow, quotas: LimitQuotas, now: number): LimitTake | null {
  const windows = windowsOf(row, quotas, now);
  const full = windows.filter(window => window.remaining === 0);
  if (full.length === 0) return null;
  return { allowed: false, windows, retryAt: Math.max(...full.map(({ resetAt }) => resetAt)) };
}

function windowsOf(row: RateLimitRow, quotas: LimitQuotas, now: number): LimitTake['windows'] {
  return [windowOf(row, 'minute', quotas.minute, now), windowOf(row, 'day', quotas.day, now)];
}

function windowOf(row: RateLimitRow, window: Window, quota: number, now: number): LimitWindow {
  const lapsed = row[`${window}_reset_at`] <= now;
  return {
    name: window,
    quota,
    windowSeconds: WINDOW_MS[window] / 1000,
    remaining: lapsed ? quota : Math.max(0, quota - row[`${window}_count`]),
    resetAt: lapsed ? now + WINDOW_MS[window] : row[`${window}_reset_at`],
  };
}
