import { enqueueWithin, type NewJob } from '../jobs.ts';
import { checkedDomain, holdShop, type StoreContext } from '../scope.ts';

/** Webhook delivery, identified by its headers. */
export interface WebhookEvent {
  /** Value of the `X-Shopify-Event-Id` header. */
  readonly eventId: string;
  readonly topic: string;
  readonly shop: string;
}

/**
 * Received webhooks, recorded so that each webhook is processed only once, even if Shopify delivers it several times.
 */
export interface Webhooks {
  /**
   * Records an event and enqueues its jobs in one transaction, so that jobs aren't lost if the process dies. Returns
   * true for the first delivery of an event (exactly once across all processes), and false for repeated deliveries
   * within 30 days. Doesn't enqueue jobs for unknown shops. For shops that uninstalled the app, enqueues only jobs with
   * `afterUninstall`.
   *
   * @throws StoreError with `shop_invalid`
   * @example
   * await store.webhooks.take({ eventId, topic: 'THEMES_PUBLISH', shop }, [
   *   { kind: 'scan', payload: { trigger: 'theme_published' }, whileRunning: 'again' },
   * ]);
   */
  take(event: WebhookEvent, jobs?: readonly NewJob[]): Promise<boolean>;
}

const REMEMBERED_MS = 30 * 86_400_000;

export function createWebhooks(context: StoreContext): Webhooks {
  const { durable, clock } = context;

  /**
   * Deletes one expired event for each new event to keep the table small. Deleting only one row at a time prevents
   * deadlocks.
   */
  async function sweepOne(now: number): Promise<void> {
    await durable
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
      const isFirst = await durable.transaction().execute(async trx => {
        const row = await holdShop(trx, shop);
        const taken = await trx
          .insertInto('shop_webhooks')
          .values({ shop, topic, event_id: eventId, taken_at: now })
          .onConflict(conflict => conflict.columns(['shop', 'topic', 'event_id']).doNothing())
          .returning('taken_at')
          .executeTakeFirst();
        if (!taken) return false;
        for (const job of jobs) {
          if (row && (row.uninstalled_at === null || job.afterUninstall)) await enqueueWithin(context, trx, shop, job);
        }
        return true;
      });
      if (isFirst) await sweepOne(now);
      return isFirst;
    },
  };
}
