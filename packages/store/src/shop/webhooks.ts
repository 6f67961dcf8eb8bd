import type { NewJob } from './jobs.ts';

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
   * that it calls for are enqueued with it, both or neither, so a process that dies in between loses none.
   *
   * @throws StoreError `shop_invalid`
   * @example
   * await store.webhooks.take({ eventId, topic: 'THEMES_PUBLISH', shop }, [
   *   { kind: 'scan', payload: { trigger: 'theme_published' }, whileRunning: 'again' },
   * ]);
   */
  take(event: WebhookEvent, jobs?: readonly NewJob[]): Promise<boolean>;
}
