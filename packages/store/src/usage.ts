import { compileOnce } from './compiled.ts';
import { unknownKey } from './errors.ts';
import type { Database, UsageRow } from './schema.ts';

/** Requests of one operation on one UTC day (`YYYY-MM-DD`). */
export interface DailyUsage {
  readonly day: string;
  readonly operation: string;
  readonly count: number;
}

/** How often each key was used, by UTC day and operation. */
export interface Usage {
  /**
   * Counts one use of a key, now.
   *
   * @throws StoreError `key_unknown`
   * @example
   * await store.usage.record({ keyId: record.id, operation: 'tariff.hts.lookup' });
   */
  record(use: { readonly keyId: string; readonly operation: string }): Promise<void>;
  /**
   * The last `days` UTC days, today included, oldest first, then by operation. Summed over all keys when `keyId` is
   * left out. A day without use has no row.
   *
   * @example
   * await store.usage.daily({ days: 7 }) // [{ day: '2026-11-21', operation: 'tariff.hts.lookup', count: 42 }]
   */
  daily(query: { readonly keyId?: string | undefined; readonly days: number }): Promise<DailyUsage[]>;
}

const DAY_MS = 86_400_000;

export function createUsage(counters: Database, clock: () => number): Usage {
  const countOne = compileOnce(counters, ({ key_id, day, operation, last_at }: Omit<UsageRow, 'count'>) =>
    counters
      .insertInto('usage_daily')
      .values({ key_id, day, operation, count: 1, last_at })
      .onConflict(conflict =>
        conflict.columns(['key_id', 'day', 'operation']).doUpdateSet(eb => ({
          count: eb('usage_daily.count', '+', 1),
          last_at: eb.ref('excluded.last_at'),
        })),
      ),
  );

  return {
    async record({ keyId, operation }) {
      const now = clock();
      try {
        await countOne({ key_id: keyId, day: utcDay(now), operation, last_at: now });
      } catch (error) {
        // The engines word a broken foreign key differently; whether the key exists is the same question on both.
        const key = await counters.selectFrom('keys').select('id').where('id', '=', keyId).executeTakeFirst();
        throw key ? error : unknownKey(keyId);
      }
    },

    async daily({ keyId, days }) {
      return await counters
        .selectFrom('usage_daily')
        .select(eb => ['day', 'operation', eb.fn.sum<number>('count').as('count')])
        .where('day', '>', utcDay(clock() - days * DAY_MS))
        .$if(keyId !== undefined, query => query.where('key_id', '=', keyId ?? ''))
        .groupBy(['day', 'operation'])
        .orderBy('day')
        .orderBy('operation')
        .execute();
    },
  };
}

function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
