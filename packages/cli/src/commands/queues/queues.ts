import { openShopStore, type ShopStore } from '@compliance/store/shop';
import { atExistingStore, reportStoreErrors } from '../../open-store.ts';

/** Names of the queues for bulk job parts, webhook deliveries, and Shopify app jobs. */
export const QUEUES = ['jobs', 'webhooks', 'app'] as const;
export type QueueName = (typeof QUEUES)[number];

/** Returns the queue with the given name. */
export function queueIn(store: ShopStore, name: QueueName) {
  return { jobs: store.bulkJobs.queue, webhooks: store.watches.queue, app: store.jobs }[name];
}

/**
 * Opens the store that the service and the Shopify app share, runs `work`, and then closes the store.
 *
 * @throws `CliError` like `withStore`
 */
export async function withQueues<T>(dataDir: string, work: (store: ShopStore) => Promise<T>): Promise<T> {
  const store = await atExistingStore(dataDir, location =>
    openShopStore({ clock: Date.now, create: false, ...location }),
  );
  try {
    return await reportStoreErrors(() => work(store));
  } finally {
    await store.close();
  }
}
