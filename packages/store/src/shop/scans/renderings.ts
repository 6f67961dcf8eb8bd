import { chunks } from '../../database/chunks.ts';
import { toJsonText } from '../../database/json.ts';
import type { FindingRow, RenderingRow, ShopDatabase } from '../schema.ts';
import type { ShopScope } from '../scope.ts';

/**
 * A rendering's verdict on a finding: the traffic shows the problem (`confirmed`), the traffic shows the opposite
 * (`refuted`), or the traffic neither confirms nor refutes the problem (`unseen`).
 */
export type FindingVerdict = NonNullable<FindingRow['verdict']>;

/**
 * State of a rendering: `complete`, `partial` if the browser couldn't complete every step, or `unseen` if the browser
 * couldn't open the storefront.
 */
export type RenderingState = RenderingRow['state'];

/** A finished rendering to record. */
export interface NewRendering {
  /** Rendering ID. Use the job ID so that a rendering isn't recorded twice. */
  readonly id: string;
  readonly state: RenderingState;
  /** Reason code for a rendering that isn't complete, or null. */
  readonly reason: string | null;
  /** Time when the rendering started, in milliseconds since the Unix epoch. */
  readonly startedAt: number;
  /** Score from 0 to 100, or null if the rendering doesn't have a score. */
  readonly score: number | null;
  /** Steps and events that the rendering recorded (any JSON value). */
  readonly detail: unknown;
  /** Verdicts by fingerprint. All other open findings get the verdict `unseen`. Ignored if the state is `unseen`. */
  readonly verdicts: ReadonlyMap<string, FindingVerdict>;
}

/** A recorded rendering. Times are in milliseconds since the Unix epoch. */
export interface StoredRendering extends Omit<NewRendering, 'verdicts'> {
  readonly finishedAt: number;
}

/** One shop's renderings. */
export interface ShopRenderings {
  /**
   * Records a finished rendering and its verdicts on the open findings, in one transaction. If the shop already has a
   * rendering with this ID, changes nothing. A rendering that couldn't open the storefront doesn't change the earlier
   * verdicts.
   *
   * @throws StoreError with `shop_unknown`, or with `lease_lost` if called through a job whose lease was lost
   * @example
   * await shop.renderings.record({ id: job.id, state: 'complete', verdicts: new Map([[fingerprint, 'refuted']]),
   * …result });
   */
  record(rendering: NewRendering): Promise<void>;
  /** Returns the newest rendering, or null. */
  latest(): Promise<StoredRendering | null>;
  /** Returns the newest rendering that opened the storefront, or null. */
  latestSeen(): Promise<StoredRendering | null>;
  /**
   * Deletes all renderings and their verdicts, so that refuted findings count again. Returns the number of deleted
   * renderings.
   */
  clear(): Promise<number>;
}

export function createShopRenderings({ durable, clock, shop, write }: ShopScope): ShopRenderings {
  const newest = () => durable.selectFrom('shop_renderings').selectAll().where('shop', '=', shop).orderBy('id', 'desc');

  return {
    record: ({ id, state, reason, startedAt, score, detail, verdicts }) =>
      write(async trx => {
        const finishedAt = clock();
        const { numInsertedOrUpdatedRows } = await trx
          .insertInto('shop_renderings')
          .values({
            ...{ shop, id, state, reason, score, started_at: startedAt, finished_at: finishedAt },
            detail: toJsonText(detail),
          })
          .onConflict(conflict => conflict.columns(['shop', 'id']).doNothing())
          .executeTakeFirstOrThrow();
        if (Number(numInsertedOrUpdatedRows ?? 0) === 0 || state === 'unseen') return;
        const open = () => trx.updateTable('shop_findings').where('shop', '=', shop).where('status', '=', 'open');
        await open().set({ verdict: 'unseen', verdict_at: finishedAt }).execute();
        for (const verdict of ['confirmed', 'refuted'] as const) {
          const fingerprints = [...verdicts].flatMap(([fingerprint, each]) => (each === verdict ? [fingerprint] : []));
          for (const part of chunks(fingerprints))
            await open().set({ verdict }).where('fingerprint', 'in', part).execute();
        }
      }),

    async latest() {
      const row = await newest().limit(1).executeTakeFirst();
      return row ? toRendering(row) : null;
    },

    async latestSeen() {
      const row = await newest().where('state', '!=', 'unseen').limit(1).executeTakeFirst();
      return row ? toRendering(row) : null;
    },

    clear: () =>
      write(async trx => {
        await forgetVerdicts(trx, shop);
        const { numDeletedRows } = await trx
          .deleteFrom('shop_renderings')
          .where('shop', '=', shop)
          .executeTakeFirstOrThrow();
        return Number(numDeletedRows);
      }),
  };
}

/** Removes the verdicts from a shop's findings in the caller's transaction, so that refuted findings count again. */
export async function forgetVerdicts(trx: ShopDatabase, shop: string): Promise<void> {
  await trx.updateTable('shop_findings').set({ verdict: null, verdict_at: null }).where('shop', '=', shop).execute();
}

const toRendering = ({ id, state, reason, started_at, finished_at, score, detail }: RenderingRow): StoredRendering => ({
  ...{ id, state, reason, startedAt: started_at, finishedAt: finished_at, score },
  detail: JSON.parse(detail),
});
