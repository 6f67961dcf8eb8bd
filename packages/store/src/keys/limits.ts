import type { ExpressionBuilder, OnConflictDatabase, OnConflictTables } from 'kysely';
import { compileOnce } from '../database/compile-once.ts';
import type { Database, DatabaseSchema, RateLimitRow } from '../database/schema.ts';
import { StoreError } from '../errors.ts';

/** A subject's per-minute and per-day quotas. Both quotas are whole numbers of at least 1. */
export interface LimitQuotas {
  readonly minute: number;
  readonly day: number;
}

/** State of one window after a request. `remaining` is never negative; `resetAt` is in ms since the Unix epoch. */
export interface LimitWindow {
  readonly name: 'minute' | 'day';
  readonly quota: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  readonly resetAt: number;
}

/**
 * Outcome of one request. `windows` always contains the minute window followed by the day window. `retryAt` (ms since
 * the Unix epoch) is the earliest time when a retry can succeed, or null if this request was allowed.
 */
export interface LimitTake {
  readonly allowed: boolean;
  readonly windows: readonly [minute: LimitWindow, day: LimitWindow];
  readonly retryAt: number | null;
}

/** Rate limits per subject, exact across any number of processes that share a database. */
export interface Limits {
  /**
   * Counts one request, or rejects it. A window starts with the subject's first request and always lasts a full minute
   * or a full day. Rejected requests don't count toward either window. A subject is a key family or any other text. The
   * store keeps a subject's counts until about 25 hours after its last request.
   *
   * @param quotas defaults to the store's quotas
   * @param cost number of requests that this request counts as; defaults to 1 and is at most a whole quota
   *
   * @example
   * const { allowed, retryAt } = await store.limits.take(record.family);
   */
  take(subject: string, quotas?: LimitQuotas, cost?: number): Promise<LimitTake>;
}

const WINDOW_MS = { minute: 60_000, day: 86_400_000 } as const;
const DEFAULT_QUOTAS: LimitQuotas = { minute: 100, day: 10_000 };

/**
 * Interval at which rows with ended windows are deleted, in milliseconds. Each row is kept for at least this long after
 * its windows end, because the clocks of different processes differ.
 */
const FORGET_MS = 3_600_000;

/**
 * Maximum number of subjects in the cache of rejected subjects. For rejected subjects that aren't in the cache, every
 * request queries the database, which only costs time.
 */
const MAX_REFUSED = 10_000;

type Window = keyof typeof WINDOW_MS;

/** Expression builder for the stored row and `excluded`, which is the row that the insert would have added. */
type Conflict = ExpressionBuilder<OnConflictDatabase<DatabaseSchema, 'rate_limits'>, OnConflictTables<'rate_limits'>>;

interface Count {
  family: string;
  now: number;
  cost: number;
  /** Highest counts at which the windows have room for the request. */
  roomInMinute: number;
  roomInDay: number;
  endOfMinute: number;
  endOfDay: number;
}

export function createLimits(bestEffort: Database, clock: () => number, chosen: Partial<LimitQuotas> = {}): Limits {
  const own = { ...DEFAULT_QUOTAS, ...chosen };
  for (const [name, quota] of Object.entries(own)) {
    if (!Number.isSafeInteger(quota) || quota < 1) {
      throw new StoreError('config_invalid', `limits.${name} must be a whole number of at least 1, not ${quota}.`);
    }
  }

  const count = compileCount(bestEffort);
  const find = compileOnce(bestEffort, ({ family }: { family: string }) =>
    bestEffort.selectFrom('rate_limits').selectAll().where('family', '=', family),
  );
  const forget = compileOnce(bestEffort, ({ before }: { before: number }) =>
    bestEffort.deleteFrom('rate_limits').where('minute_reset_at', '<', before).where('day_reset_at', '<', before),
  );
  let forgotAt = clock();

  // Once a window is full, its row doesn't change until a window ends, so further requests from the subject are
  // rejected without a query.
  const refused = new Map<string, RateLimitRow>();

  return {
    async take(subject, quotas = own, asked = 1) {
      const cost = Math.min(asked, quotas.minute, quotas.day);
      const now = clock();
      const held = refused.get(subject);
      if (held) {
        const refusal = refusalOf(held, quotas, now, cost);
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
          cost,
          roomInMinute: quotas.minute - cost,
          roomInDay: quotas.day - cost,
          endOfMinute: now + WINDOW_MS.minute,
          endOfDay: now + WINDOW_MS.day,
        });
        if (counted) return { allowed: true, windows: windowsOf(counted, quotas, now), retryAt: null };
        const [row] = await find({ family: subject });
        const refusal = row && refusalOf(row, quotas, now, cost);
        // Retry: a process with a faster clock started a new window between the two statements, so no window is full
        // anymore.
        if (!refusal) continue;
        // The row of a subject that has room for cheaper requests can change.
        if (refusalOf(row, quotas, now, 1)) {
          if (refused.size >= MAX_REFUSED) refused.clear();
          refused.set(subject, row);
        }
        return refusal;
      }
    },
  };
}

/**
 * Compiles one atomic statement that counts a request in both windows. If one of the windows is full, the statement
 * doesn't write or return a row.
 */
function compileCount(bestEffort: Database): (values: Count) => Promise<RateLimitRow[]> {
  return compileOnce(bestEffort, ({ family, now, cost, roomInMinute, roomInDay, endOfMinute, endOfDay }: Count) => {
    const lapsed = (eb: Conflict, window: Window) => eb(`rate_limits.${window}_reset_at`, '<=', now);
    const hasRoom = (eb: Conflict, window: Window, room: number) =>
      eb.or([lapsed(eb, window), eb(`rate_limits.${window}_count`, '<=', room)]);
    const nextCount = (eb: Conflict, window: Window) =>
      eb
        .case()
        .when(lapsed(eb, window))
        .then(eb.ref(`excluded.${window}_count`))
        .else(eb(`rate_limits.${window}_count`, '+', cost))
        .end();
    const nextResetAt = (eb: Conflict, window: Window) =>
      eb
        .case()
        .when(lapsed(eb, window))
        .then(eb.ref(`excluded.${window}_reset_at`))
        .else(eb.ref(`rate_limits.${window}_reset_at`))
        .end();

    return bestEffort
      .insertInto('rate_limits')
      .values({ family, minute_count: cost, minute_reset_at: endOfMinute, day_count: cost, day_reset_at: endOfDay })
      .onConflict(conflict =>
        conflict
          .column('family')
          .doUpdateSet(eb => ({
            minute_count: nextCount(eb, 'minute'),
            minute_reset_at: nextResetAt(eb, 'minute'),
            day_count: nextCount(eb, 'day'),
            day_reset_at: nextResetAt(eb, 'day'),
          }))
          .where(eb => eb.and([hasRoom(eb, 'minute', roomInMinute), hasRoom(eb, 'day', roomInDay)])),
      )
      .returningAll();
  });
}

function refusalOf(row: RateLimitRow, quotas: LimitQuotas, now: number, cost: number): LimitTake | null {
  const windows = windowsOf(row, quotas, now);
  const full = windows.filter(window => window.remaining < cost);
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
