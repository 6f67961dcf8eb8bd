import { enqueueWithin, type NewJob } from '../jobs/jobs.ts';
import { checkedDomain, type Ground, holdShop } from '../scope.ts';

/** A delivery of a webhook, as its headers name it. */
export interface WebhookEvent {
  /** `X-Shopify-Event-Id` */
  readonly eventId: string;
  readonly topic: string;
  readonly shop: string;
}

/** Webhooks are delivered at least once; what comes of them is done once. */
export interface Webhooks {
  /**
   * True for the first delivery of an event, exactly once across processes; false for every other within 30 days. The jobs
   * that it calls for are enqueued with it, both or neither, so a process that dies in between loses none. A shop
   * that is not there gets no job, one that has removed the app only those for after that.
   *
   * @throws StoreError `shop_invalid`
   * @example
   * await store.webhooks.take({ eventId, topic: 'THEMES_PUBLISH', shop }, [
   *   { kind: 'scan', payload: { trigger: 'theme_published' }, whileRunning: 'again' },
   * ]);
   */
  take(event: WebhookEvent, jobs?: readonly NewJob[]): Promise<boolean>;
}

const REMEMBERED_MS = 30 * 86_400_000;

export function createWebhooks(ground: Ground): Webhooks {
  const { ledger, clock } = ground;

  /** One forgotten event for each new one keeps the table small, and one row cannot be locked in the wrong order. */
  async function sweepOne(now: number): Promise<void> {
    await ledger
      .deleteFrom('shop_webhooks')
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('shop', 'topic', 'event_id'),
          'in',
          selectFrom('shop_webhooks as old')
            .select(['old.shop', 'old.topic', 'old.event_id'])
            .where('old.taken_at', '<=', now - REMEMBERED_MS)
            .orderBy('old.taken_at')
            .limit(1)
            .$asTuple('shop', 'topic', 'event_id'),
        ),
      )
      .execute();
  }

  return {
    async take({ eventId, topic, shop }, jobs = []) {
      const now = clock();
      checkedDomain(shop);
      const isFirst = await ledger.transaction().execute(async trx => {
        const row = await holdShop(trx, shop);
        const taken = await trx
          .insertInto('shop_webhooks')
          .values({ shop, topic, event_id: eventId, taken_at: now })
          .onConflict(conflict => conflict.columns(['shop', 'topic', 'event_id']).doNothing())
          .returning('taken_at')
          .executeTakeFirst();
        if (!taken) return false;
        for (const job of jobs) {
          if (row && (row.uninstalled_at === null || job.afterUninstall)) await enqueueWithin(ground, trx, shop, job);
        }
        return true;
      });
      if (isFirst) await sweepOne(now);
      return isFirst;
    },
  };
}
