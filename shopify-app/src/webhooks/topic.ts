import type { NewJob, Shop } from '@compliance/store';
import type { Delivery } from './delivery.ts';

/** What the app does about one topic of webhooks. It is named in `shopify.app.toml` too. */
export interface Topic {
  /** `themes/publish` */
  readonly topic: string;
  /** The jobs that it calls for. They are enqueued once for each event, however often it is delivered. */
  jobs?(payload: unknown): readonly NewJob[];
  /**
   * What cannot wait for a job. It may run again for the same event, and must be quick: Shopify waits for five seconds.
   * It gives what to log, if anything.
   */
  run?(shop: Shop, delivery: Delivery): Promise<object | undefined>;
}
