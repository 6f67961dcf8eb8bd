import { easternDate } from '@compliance/core/tariff';
import type { Shop, Variant } from '@compliance/store';
import type { JobKind } from '../jobs/job.ts';
import { answersOf, listsOf, type TariffAnswer } from './answer.ts';
import type { Goods } from './goods.ts';
import { runOf } from './refresh-product.ts';
import { TARIFF_RECHECK } from './words.ts';

/** Variants that are asked about at a time. */
const BATCH = 500;

/** What a `done` job of kind `tariff_recheck` gave. */
export interface RecheckOutcome {
  readonly listVersion: string;
  readonly variants: number;
}

/** The job that asks the lists of this release about the codes that are known, without Shopify. */
export const recheckJob = (clock: () => number): JobKind => ({
  kind: TARIFF_RECHECK,
  async run({ job, merchant: { shop }, signal, report }): Promise<RecheckOutcome> {
    const asOf = easternDate(clock());
    const { version } = listsOf(asOf);
    const { total } = await shop.variants.counts();
    let variants = 0;
    let cursor: string | null = null;
    do {
      signal.throwIfAborted();
      const run = await runOf(shop, job.id);
      // The whole catalog is being read, and answered by these lists.
      if (run !== job.id) break;
      const page: Awaited<ReturnType<Shop['variants']['list']>> = await shop.variants.list({ limit: BATCH, cursor });
      await shop.variants.upsert(run, answersOf(page.rows.map(remembered), asOf));
      report({ step: 'answering', done: (variants += page.rows.length), total });
      cursor = page.next;
    } while (cursor !== null);
    return { listVersion: version, variants };
  },
});

/**
 * Has a shop's answers looked at again when some come from other lists than those of this release.
 *
 * @throws StoreError `shop_unknown`, `shop_uninstalled`
 */
export async function recheckWhenListsAreNew(shop: Shop, now: number): Promise<void> {
  const { byListVersion } = await shop.variants.counts();
  const { version } = listsOf(easternDate(now));
  if (Object.keys(byListVersion).some(known => known !== version)) await shop.jobs.enqueue({ kind: TARIFF_RECHECK });
}

/** What is remembered of a variant, to ask the lists again without Shopify. */
function remembered(variant: Variant): Goods {
  const { inventoryItemId, codeFor } = variant.answer as TariffAnswer;
  const { variantId, productId, productTitle, variantTitle, sku, htsCode, origin } = variant;
  return { variantId, productId, productTitle, variantTitle, sku, htsCode, origin, inventoryItemId, codeFor };
}
