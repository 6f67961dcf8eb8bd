import { type Dataset, easternDate } from '@compliance/core/tariff';
import type { Shop, Variant } from '@compliance/store/shop';
import type { JobHandler } from '../jobs/job.ts';
import { classifyWithPauses } from './classify-with-pauses.ts';
import type { CatalogItem } from './model/catalog-item.ts';
import { type TariffResult, tariffLists } from './model/classify.ts';
import { TARIFF_RECHECK } from './model/job-types.ts';
import { summarizeRates } from './model/rates.ts';
import { runOf } from './read/refresh-product.ts';
import { recordTariffAlert } from './tariff-alert.ts';

/** Number of variants per lookup batch. */
const BATCH = 200;

/** Result of a `tariff_recheck` job in the `done` state. */
export interface RecheckOutcome {
  readonly listVersion: string;
  readonly variants: number;
}

/** Creates the job that looks up stored codes in the current tariff lists without calling Shopify. */
export const recheckJob = (clock: () => number): JobHandler => ({
  kind: TARIFF_RECHECK,
  async run({ job, merchant: { shop, dataset: currentDataset }, signal, report }): Promise<RecheckOutcome> {
    const asOf = easternDate(clock());
    const dataset = currentDataset();
    const { version } = tariffLists(asOf, dataset);
    const { total } = await shop.variants.counts();
    let variants = 0;
    let isWhole = true;
    let cursor: string | null = null;
    do {
      signal.throwIfAborted();
      const run = await runOf(shop, job.id);
      // A catalog read in progress already classifies every variant.
      if (run !== job.id) {
        isWhole = false;
        break;
      }
      const page: Awaited<ReturnType<Shop['variants']['list']>> = await shop.variants.list({ limit: BATCH, cursor });
      await shop.variants.upsert(run, await classifyWithPauses(page.rows.map(itemFromStored), asOf, dataset), {
        summarize: summarizeRates,
      });
      report({ step: 'answering', done: (variants += page.rows.length), total });
      cursor = page.next;
    } while (cursor !== null);
    if (isWhole) await recordTariffAlert(shop, clock(), dataset);
    return { listVersion: version, variants };
  },
});

/**
 * Enqueues a recheck if at least one of a shop's results isn't based on the current tariff lists.
 *
 * @throws StoreError `shop_unknown` or `shop_uninstalled` if the app isn't installed in the shop
 */
export async function enqueueRecheckIfOutdated(shop: Shop, now: number, dataset: Dataset): Promise<void> {
  const { byListVersion } = await shop.variants.counts();
  const { version } = tariffLists(easternDate(now), dataset);
  if (Object.keys(byListVersion).some(known => known !== version)) await shop.jobs.enqueue({ kind: TARIFF_RECHECK });
}

/** Restores a catalog item from a stored variant without calling Shopify. */
function itemFromStored(variant: Variant): CatalogItem {
  const { inventoryItemId, codeFor } = variant.answer as TariffResult;
  const {
    variantId,
    productId,
    productTitle,
    variantTitle,
    productType = null,
    imageUrl = null,
    sku,
    htsCode,
    origin,
    price = null,
  } = variant;
  const shown = { productTitle, variantTitle, productType, imageUrl };
  return { variantId, productId, ...shown, sku, htsCode, origin, price, inventoryItemId, codeFor };
}
