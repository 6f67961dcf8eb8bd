import { scheduler } from 'node:timers/promises';
import type { Dataset } from '@compliance/core/tariff';
import type { NewVariant } from '@compliance/store/shop';
import type { CatalogItem } from './model/catalog-item.ts';
import { classifyVariants } from './model/classify.ts';

/**
 * Number of variants to classify before yielding to the event loop. The first variants after startup take the
 * longest, because classifying them also indexes the data set.
 */
const PAUSE_EVERY = 50;

/**
 * Classifies variants as `classifyVariants` does, but yields to the event loop between batches so that the process
 * can serve pages.
 *
 * @example await shop.variants.upsert(run, await classifyWithPauses(items, '2026-11-21', DATASET));
 */
export async function classifyWithPauses(
  items: readonly CatalogItem[],
  asOf: string,
  dataset: Dataset,
): Promise<NewVariant[]> {
  const classified: NewVariant[] = [];
  for (let from = 0; from < items.length; from += PAUSE_EVERY) {
    classified.push(...classifyVariants(items.slice(from, from + PAUSE_EVERY), asOf, dataset));
    await scheduler.yield();
  }
  return classified;
}
