import type { ExpressionBuilder, OnConflictDatabase, OnConflictTables } from 'kysely';
import { type CompiledStatement, compileOnce } from '../database/compile-once.ts';
import type { Database, DatabaseSchema, RateLimitRow } from '../database/schema.ts';
import { StoreError } from '../errors.ts';
import { refusesWrites } from '../storage-failure.ts';

/** A subject's per-minute and per-day quotas. Both quotas are whole numbers of at least 1. */
export interface LimitQuotas {
  readonly minute: number;
  readonly day: number;
}

/**
 * State of one window after a request. `remaining` is never negative; `resetAt` is in milliseconds since the Unix
 * epoch.
 */
export interface LimitWindow {
  readonly name: 'minute' | 'day';
  readonly quota: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  readonly resetAt: number;
}

/**
 * Outcome of one request. `windows` always contains the minute window followed by the day window. `retryAt`
 * (milliseconds since the Unix epoch) is the earliest time when a retry can succeed, or null if this request was
 * allowed.
 */
export interface LimitTake {
  readonly allowed: boolean;
  readonly windows: readonly [minute: LimitWindow, day: LimitWindow];
  readonly retryAt: number | null;
}

/**
 * Rate limits per subject, exact across any number of processes that share a database. If the database can't be written
 * to, for example because the disk is full, each process counts in memory, so that requests that only read data still
 * work.
 *
 * A clock that was ahead never prolongs a window: if a window's start is in the future, the window is treated as if it
 * started now.
 */
export interface Limits {
  /**
   * Counts one request, or rejects it. A window starts with the subject's first request and always lasts a full minute
   * or a full day. Rejected requests don't count toward either window. A subject is a key family or any other string.
   * The store keeps a subject's counts for up to about 26 hours after its last request.
   *
   * @param quotas defaults to the store's quotas
   * @param cost number of requests that this request counts as; defaults to 1 and is capped at the smaller quota
   *
   * @example
   * const { allowed, retryAt } = await store.limits.take(record.family);
   */
  take(subject: string, quotas?: LimitQuotas, cost?: number): Promise<LimitTake>;
}

const WINDOW_MS = { minute: 60_000, day: 86_400_000 } as const;
const DEFAULT_QUOTAS: LimitQuotas = { minute: 100, day: 10_000 };

/**
 * Interval between deletions of rows with ended windows, in milliseconds. Each row is kept for at least this long after
 * its windows end, because the clocks of different processes differ.
 */
const FORGET_MS = 3_600_000;

/**
 * Maximum number of rejected subjects in the cache. For rejected subjects that aren't in the cache, every request
 * queries the database, which is slower but gives the same result.
 */
const MAX_REFUSED = 10_000;

type Window = keyof typeof WINDOW_MS;

/** Expression builder for the stored row and `excluded`, which is the row that the insert would have added. */
type Conflict = ExpressionBuilder<OnConflictDatabase<DatabaseSchema, 'rate_limits'>, OnConflictTables<'rate_limits'>>;

interface Count {
  family: string;
  now: number;
  cost: number;
  /** Highest count in each window that still leaves room for the request. */
  roomInMinute: number;
  roomInDay: number;
  endOfMinute: number;
  endOfDay: number;
}

/** One subject's requests, counted with a single statement. These requests all have the same time, cost, and quotas. */
interface Group extends Pick<Count, 'now' | 'cost'> {
  readonly quotas: LimitQuotas;
  size: number;
  readonly sent: Promise<RateLimitRow[]>;
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
  const pullBack = compilePullBack(bestEffort);
  let forgotAt = clock();

  // Once a window is full, its row doesn't change until a window ends, so further requests from the subject are
  // rejected without a query.
  const refused = new Map<string, RateLimitRow>();

  // This process's own counts while the database rejects writes.
  const unwritten = new Map<string, RateLimitRow>();

  /** Counts one request in memory, the same way the database does. Returns undefined if a window is full. */
  async function countInMemory(counted: Count, quotas: LimitQuotas): Promise<RateLimitRow | undefined> {
    const { family, now, cost } = counted;
    const [stored] = unwritten.has(family) ? [unwritten.get(family)] : await find({ family });
    const windows = stored && windowsOf(stored, quotas, now);
    if (windows?.some(({ remaining }) => remaining < cost)) return undefined;
    const [minute, day] = windows ?? [];
    const row = {
      family,
      minute_count: quotas.minute - (minute?.remaining ?? quotas.minute) + cost,
      minute_reset_at: minute?.resetAt ?? counted.endOfMinute,
      day_count: quotas.day - (day?.remaining ?? quotas.day) + cost,
      day_reset_at: day?.resetAt ?? counted.endOfDay,
    };
    if (unwritten.size >= MAX_REFUSED) unwritten.clear();
    unwritten.set(family, row);
    return row;
  }

  /** Counts one request. Returns undefined if a window is full. */
  async function countOnce(counted: Count, quotas: LimitQuotas): Promise<RateLimitRow | undefined> {
    try {
      const [row] = await count(counted);
      unwritten.delete(counted.family);
      return row;
    } catch (error) {
      if (!refusesWrites(error)) throw error;
      return await countInMemory(counted, quotas);
    }
  }

  // Request groups that haven't been sent yet, by subject.
  const groups = new Map<string, Group>();

  function createGroup(counted: Count, quotas: LimitQuotas): Group {
    const { family, cost } = counted;
    const sent = count(() => {
      if (groups.get(family) === group) groups.delete(family);
      const total = group.size * cost;
      return { ...counted, cost: total, roomInMinute: quotas.minute - total, roomInDay: quotas.day - total };
    });
    const group: Group = { now: counted.now, cost, quotas, size: 0, sent };
    groups.set(family, group);
    return group;
  }

  /**
   * Batches one request with the subject's other requests from this event loop turn and counts them in one statement,
   * because separate statements would have to wait for the same row. If the requests don't all fit, each one is counted
   * with a separate statement.
   */
  async function countTogether(counted: Count, quotas: LimitQuotas): Promise<RateLimitRow | undefined> {
    const { family, now, cost } = counted;
    const waiting = groups.get(family);
    const canJoin =
      waiting?.now === now &&
      waiting.cost === cost &&
      waiting.quotas === quotas &&
      (waiting.size + 1) * cost <= Math.min(quotas.minute, quotas.day);
    const group = canJoin ? waiting : createGroup(counted, quotas);
    const place = ++group.size;
    try {
      const [row] = await group.sent;
      if (row) {
        unwritten.delete(family);
        const later = (group.size - place) * cost;
        return { ...row, minute_count: row.minute_count - later, day_count: row.day_count - later };
      }
      if (group.size === 1) return undefined;
    } catch (error) {
      if (!refusesWrites(error)) throw error;
    }
    return await countOnce(counted, quotas);
  }

  return {
    async take(subject, quotas = own, asked = 1) {
      const cost = Math.min(asked, quotas.minute, quotas.day);
      const now = clock();
      const held = refused.get(subject);
      if (held) {
        const refusal = startsInFuture(held, now) ? null : refusalOf(held, quotas, now, cost);
        if (refusal) return refusal;
        refused.delete(subject);
      }
      if (Math.abs(now - forgotAt) >= FORGET_MS) {
        forgotAt = now;
        await forget({ before: now - FORGET_MS }).catch(ignoreRefusedWrite);
      }
      const counted = {
        family: subject,
        now,
        cost,
        roomInMinute: quotas.minute - cost,
        roomInDay: quotas.day - cost,
        endOfMinute: now + WINDOW_MS.minute,
        endOfDay: now + WINDOW_MS.day,
      };
      for (let isFirst = true; ; isFirst = false) {
        const next = await (isFirst ? countTogether : countOnce)(counted, quotas);
        if (next) return { allowed: true, windows: windowsOf(next, quotas, now), retryAt: null };
        const row = unwritten.get(subject) ?? (await find({ family: subject }))[0];
        if (row && startsInFuture(row, now)) {
          await pullBack(counted);
          continue;
        }
        const refusal = row && refusalOf(row, quotas, now, cost);
        // A process whose clock is ahead started a new window between the two statements, so no window is full anymore.
        // Retry.
        if (!refusal) continue;
        // Don't cache the rejection if a request with a lower cost would still fit, because that request would change
        // the row.
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
function compileCount(bestEffort: Database): CompiledStatement<Count, RateLimitRow> {
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
    const nextResetAt = (eb: Conflict, window: Window, end: number) =>
      eb
        .case()
        .when(eb.or([lapsed(eb, window), eb(`rate_limits.${window}_reset_at`, '>', end)]))
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
            minute_reset_at: nextResetAt(eb, 'minute', endOfMinute),
            day_count: nextCount(eb, 'day'),
            day_reset_at: nextResetAt(eb, 'day', endOfDay),
          }))
          .where(eb => eb.and([hasRoom(eb, 'minute', roomInMinute), hasRoom(eb, 'day', roomInDay)])),
      )
      .returningAll();
  });
}

/**
 * Compiles the statement that moves a subject's windows back so that they start now if they start in the future. This
 * statement is needed only if a window is full. Otherwise, counting a request also moves the windows.
 */
function compilePullBack(
  bestEffort: Database,
): (values: Pick<Count, 'family' | 'endOfMinute' | 'endOfDay'>) => Promise<unknown> {
  return compileOnce(
    bestEffort,
    ({ family, endOfMinute, endOfDay }: Pick<Count, 'family' | 'endOfMinute' | 'endOfDay'>) =>
      bestEffort
        .updateTable('rate_limits')
        .set(eb => ({
          minute_reset_at: eb
            .case()
            .when('minute_reset_at', '>', endOfMinute)
            .then(endOfMinute)
            .else(eb.ref('minute_reset_at'))
            .end(),
          day_reset_at: eb.case().when('day_reset_at', '>', endOfDay).then(endOfDay).else(eb.ref('day_reset_at')).end(),
        }))
        .where('family', '=', family),
  );
}

function ignoreRefusedWrite(error: unknown): void {
  if (!refusesWrites(error)) throw error;
}

/** Returns whether a window starts in the future, which happens if a clock was ahead when the window started. */
function startsInFuture(row: RateLimitRow, now: number): boolean {
  return row.minute_reset_at > now + WINDOW_MS.minute || row.day_reset_at > now + WINDOW_MS.day;
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
    resetAt: lapsed ? now + WINDOW_MS[window] : Math.min(row[`${window}_reset_at`], now + WINDOW_MS[window]),
  };
}
