import { type ClaimOptions, createQueue, type LeasedJob, type Queue } from '../jobs/queue.ts';
import { SHOP_JOBS, withJobTable } from './jobs.ts';
import type { ShopDatabase } from './schema.ts';
import { createShopScope, type StoreContext } from './scope.ts';
import { createShop, type Shop } from './shop.ts';

/** Claimed job of a shop. Its `tenant` is the shop's domain. */
export interface ClaimedJob extends LeasedJob {
  readonly domain: string;
  /**
   * Shop with fenced writes: each write first checks the lease in its transaction. If the lease is lost, the write
   * throws `lease_lost` and changes nothing.
   */
  readonly shop: Shop;
}

/** Job queue for all shops. Shops take turns. */
export interface Jobs extends Queue {
  claim(worker: string, kinds: readonly string[], leaseMs: number, options?: ClaimOptions): Promise<ClaimedJob | null>;
}

export function createJobs(context: StoreContext): Jobs {
  const queue = createQueue({
    ...context,
    durable: withJobTable(context.durable),
    table: SHOP_JOBS,
    transact: (shop, fence, work) =>
      createShopScope(context, shop, trx => fence(withJobTable(trx))).write(trx => work(withJobTable(trx))),
  });
  return {
    ...queue,
    async claim(...asked) {
      const job = await queue.claim(...asked);
      if (!job) return null;
      const fence = (trx: ShopDatabase) => job.fence(withJobTable(trx));
      return { ...job, domain: job.tenant, shop: createShop(createShopScope(context, job.tenant, fence)) };
    },
  };
}
