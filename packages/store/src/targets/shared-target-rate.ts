import { type SqlBool, sql } from 'kysely';
import { compileOnce } from '../database/compile-once.ts';
import type { Database, TargetRateRow } from '../database/schema.ts';

/** Outcome of one request. `retryAt` (milliseconds since the Unix epoch) is null if the request is allowed. */
export interface TargetTake {
  readonly allowed: boolean;
  readonly retryAt: number | null;
}

/**
 * Rate limit per scanned site, exact across any number of processes that share a database. Unlike the windows in
 * `Limits`, this limit's window slides, so the limit also applies across minute boundaries.
 */
export interface SharedTargetRate {
  /**
   * Counts one request to a target, or rejects it. In any 70-second window, at most `perMinute` requests are allowed: a
   * request can arrive up to ten seconds after it's counted, so at most `perMinute` requests arrive in any minute.
   * Rejected requests don't count.
   *
   * @param perMinute at most 63
   * @example const { allowed, retryAt } = await store.targetRate.take('shop.example', 60);
   */
  take(target: string, perMinute: number): Promise<TargetTake>;
}

/** Duration of a slot, in milliseconds. Requests are counted per slot. */
const SLOT_MS = 10_000;

/**
 * Number of slots that count toward the limit: the current slot, which might have just begun, and the slots of the
 * preceding 70 seconds.
 */
const SLOTS = 8;

/** Bits per slot in the column `recent`. All slots together fit into a safe integer. */
const BITS = 6;

/** Highest count that fits into a slot. */
const MAX_PER_MINUTE = 2 ** BITS - 1;

/** Interval between deletions of rows without counted requests, in milliseconds. */
const FORGET_MS = 600_000;

/** Maximum number of targets in the rejection cache. A full cache is cleared before the next target is added. */
const MAX_REFUSED = 10_000;

export function createSharedTargetRate(bestEffort: Database, clock: () => number): SharedTargetRate {
  const count = compileCount(bestEffort);
  const find = compileOnce(bestEffort, ({ target }: { target: string }) =>
    bestEffort.selectFrom('target_rates').selectAll().where('target', '=', target),
  );
  const rewind = compileOnce(bestEffort, ({ target, ahead, slot }: { target: string; ahead: number; slot: number }) =>
    bestEffort.updateTable('target_rates').set({ slot }).where('target', '=', target).where('slot', '=', ahead),
  );
  const forget = compileOnce(bestEffort, ({ before }: { before: number }) =>
    bestEffort.deleteFrom('target_rates').where('slot', '<', before),
  );
  let forgotAt = clock();

  // A full row doesn't change until a slot ends, so reject further requests without a query until then.
  const refused = new Map<string, { perMinute: number; since: number; retryAt: number }>();

  return {
    async take(target, perMinute) {
      if (!Number.isSafeInteger(perMinute) || perMinute < 1 || perMinute > MAX_PER_MINUTE) {
        throw new RangeError(`perMinute must be a whole number from 1 to ${MAX_PER_MINUTE}, not ${perMinute}.`);
      }
      const now = clock();
      const slot = slotOf(now);
      const held = refused.get(target);
      if (held && perMinute <= held.perMinute && now >= held.since && now < held.retryAt) {
        return { allowed: false, retryAt: held.retryAt };
      }
      refused.delete(target);
      if (now - forgotAt >= FORGET_MS) {
        forgotAt = now;
        await forget({ before: slotOf(now - FORGET_MS) });
      }
      for (;;) {
        const [counted] = await count({ target, slot, room: perMinute - 1 });
        if (counted) return { allowed: true, retryAt: null };
        const [row] = await find({ target });
        // If the clock was set back, move the counts to the current slot so that they expire.
        if (row && row.slot - slot >= SLOTS) await rewind({ target, ahead: row.slot, slot });
        const retryAt = row ? retryAtOf(row, slot, perMinute - 1) : null;
        // Retry if a process whose clock is ahead started the next slot between the two statements.
        if (retryAt === null) continue;
        if (refused.size >= MAX_REFUSED) refused.clear();
        refused.set(target, { perMinute, since: now, retryAt });
        return { allowed: false, retryAt };
      }
    },
  };
}

const slotOf = (time: number): number => Math.floor(time / SLOT_MS);

/**
 * Compiles one atomic statement that counts a request. If the counted slots are full, the statement doesn't write or
 * return a row.
 *
 * `recent` contains the counts of the latest slots, six bits each, with the newest slot in the lowest bits. To advance
 * to a new slot, the statement shifts the counts to the left. If the row's slot is newer, because another process's
 * clock is ahead, the row keeps that slot.
 */
function compileCount(
  bestEffort: Database,
): (values: { target: string; slot: number; room: number }) => Promise<TargetRateRow[]> {
  const passed = sql<number>`(excluded.slot - target_rates.slot)`;
  const all = sql.lit(2 ** (BITS * SLOTS) - 1);
  const recent = sql<number>`(case when ${passed} >= ${sql.lit(SLOTS)} then 0
    when ${passed} > 0 then (target_rates.recent << cast(${sql.lit(BITS)} * ${passed} as integer)) & ${all}
    else target_rates.recent end)`;
  const counts = Array.from(
    { length: SLOTS },
    (_, slot) => sql<number>`((${recent} >> ${sql.lit(BITS * slot)}) & ${sql.lit(MAX_PER_MINUTE)})`,
  );
  const newest = sql<number>`case when ${passed} > 0 then excluded.slot else target_rates.slot end`;
  return compileOnce(bestEffort, ({ target, slot, room }) =>
    bestEffort
      .insertInto('target_rates')
      .values({ target, slot, recent: 1 })
      .onConflict(conflict =>
        conflict
          .column('target')
          .doUpdateSet({ slot: newest, recent: sql<number>`${recent} + 1` })
          .where(sql<SqlBool>`${sql.join(counts, sql` + `)} <= ${room}`),
      )
      .returningAll(),
  );
}

/**
 * Returns the time when enough slots of a full row have expired to allow the next request, or null if the row already
 * allows a request.
 */
function retryAtOf({ slot, recent }: TargetRateRow, current: number, room: number): number | null {
  const newest = slot - current < SLOTS ? Math.max(current, slot) : current;
  const age = Math.max(0, current - slot);
  for (let ended = 0; ended <= SLOTS; ended++) {
    let sum = 0;
    for (let i = 0; i < SLOTS - age - ended; i++) sum += Math.floor(recent / 2 ** (BITS * i)) % (MAX_PER_MINUTE + 1);
    if (sum <= room) return ended === 0 ? null : (newest + ended) * SLOT_MS;
  }
  return null;
}
