import { compileOnce } from '../database/compile-once.ts';
import type { Database, UsageRow } from '../database/schema.ts';
import { unknownKey } from '../errors.ts';

/** Number of requests for one operation on one UTC day (`YYYY-MM-DD`). */
export interface DailyUsage {
  readonly day: string;
  readonly operation: string;
  readonly count: number;
}

/** Usage counters per key, UTC day, and operation. */
export interface Usage {
  /**
   * Counts one use of a key at the current time, and resolves when the count is stored.
   *
   * @throws StoreError with `key_unknown`
   * @example
   * await store.usage.record({ keyId: record.id, operation: 'tariff.hts.lookup' });
   */
  record(use: { readonly keyId: string; readonly operation: string }): Promise<void>;
  /**
   * Returns counts for the last `days` UTC days including today, sorted by day and operation. Includes all keys if
   * `keyId` is omitted. Omits days without usage.
   *
   * @example
   * await store.usage.daily({ days: 7 }) // [{ day: '2026-11-21', operation: 'tariff.hts.lookup', count: 42 }]
   */
  daily(query: { readonly keyId?: string | undefined; readonly days: number }): Promise<DailyUsage[]>;
  /**
   * Returns the same counts as `daily`, but separately for each key, sorted by day, key, and operation.
   *
   * @example
   * await store.usage.dailyByKey({ days: 7 }) // [{ keyId: 'key_…', day: '2026-11-21', operation: 'tariff.hts.lookup', count: 42 }]
   */
  dailyByKey(query: { readonly days: number }): Promise<(DailyUsage & { readonly keyId: string })[]>;
}

const DAY_MS = 86_400_000;

/** Usage counts to add to one row in a single write. */
interface Tally {
  row: Pick<UsageRow, 'key_id' | 'day' | 'operation'>;
  count: number;
  last_at: number;
}

/** Creates the usage counters. `settled` resolves when all pending writes have succeeded or failed. */
export function createUsage(bestEffort: Database, clock: () => number): Usage & { settled(): Promise<void> } {
  const add = compileOnce(bestEffort, ({ key_id, day, operation, count, last_at }: UsageRow) =>
    bestEffort
      .insertInto('usage_daily')
      .values({ key_id, day, operation, count, last_at })
      .onConflict(conflict =>
        conflict.columns(['key_id', 'day', 'operation']).doUpdateSet(eb => ({
          count: eb('usage_daily.count', '+', eb.ref('excluded.count')),
          last_at: eb.ref('excluded.last_at'),
        })),
      ),
  );

  // While a write to a row is in progress, new counts for that row are queued and then written together. A busy key
  // therefore has one statement in progress instead of one per request. Separate statements would have to wait for the
  // same row anyway.
  const waiting = new Map<string, { tally: Tally; stored: Promise<void> }>();
  const storing = new Map<string, Promise<void>>();

  async function store(name: string, tally: Tally): Promise<void> {
    await storing.get(name);
    waiting.delete(name);
    const stored = add({ ...tally.row, count: tally.count, last_at: tally.last_at });
    const ended = stored.then(
      () => {},
      () => {},
    );
    storing.set(name, ended);
    try {
      await stored;
    } catch (error) {
      // The two engines report foreign key violations differently, so check whether the API key exists.
      const { key_id } = tally.row;
      const key = await bestEffort.selectFrom('keys').select('id').where('id', '=', key_id).executeTakeFirst();
      throw key ? error : unknownKey(key_id);
    } finally {
      if (storing.get(name) === ended) storing.delete(name);
    }
  }

  return {
    record({ keyId, operation }) {
      const now = clock();
      const row = { key_id: keyId, day: utcDay(now), operation };
      const name = `${keyId} ${row.day} ${operation}`;
      let uses = waiting.get(name);
      if (!uses) {
        const tally = { row, count: 0, last_at: now };
        waiting.set(name, (uses = { tally, stored: store(name, tally) }));
      }
      uses.tally.count++;
      uses.tally.last_at = now;
      return uses.stored;
    },

    async settled() {
      await Promise.allSettled([...storing.values(), ...[...waiting.values()].map(({ stored }) => stored)]);
    },

    async daily({ keyId, days }) {
      return await bestEffort
        .selectFrom('usage_daily')
        .select(eb => ['day', 'operation', eb.fn.sum<number>('count').as('count')])
        .where('day', '>', utcDay(clock() - days * DAY_MS))
        .$if(keyId !== undefined, query => query.where('key_id', '=', keyId ?? ''))
        .groupBy(['day', 'operation'])
        .orderBy('day')
        .orderBy('operation')
        .execute();
    },

    async dailyByKey({ days }) {
      return await bestEffort
        .selectFrom('usage_daily')
        .select(['key_id as keyId', 'day', 'operation', 'count'])
        .where('day', '>', utcDay(clock() - days * DAY_MS))
        .orderBy('day')
        .orderBy('key_id')
        .orderBy('operation')
        .execute();
    },
  };
}

/** Cache of the most recently formatted day: the number of days since the Unix epoch, and the formatted date. */
let formatted = { day: Number.NaN, text: '' };

function utcDay(ms: number): string {
  const day = Math.floor(ms / DAY_MS);
  if (day !== formatted.day) formatted = { day, text: new Date(ms).toISOString().slice(0, 10) };
  return formatted.text;
}
