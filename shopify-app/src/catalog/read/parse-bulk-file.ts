import { scheduler } from 'node:timers/promises';
import { z } from 'zod';
import { countryCode, variantNode } from '../../admin/operations/catalog-variant.ts';
import { type CatalogItem, toCatalogItem, usCodeOf } from '../model/catalog-item.ts';
import { TruncatedFileError } from './json-lines.ts';

const variantLine = variantNode.extend({
  inventoryItem: variantNode.shape.inventoryItem.omit({ countryHarmonizedSystemCodes: true }),
});
const codeLine = countryCode.extend({ __parentId: z.string() });

/**
 * Number of variants to process before yielding to the event loop, so that other work, such as the job's heartbeats,
 * can run.
 */
const PAUSE_EVERY = 250;

/** Catalog items from a bulk operation's result file. */
export interface BulkFile {
  readonly items: readonly CatalogItem[];
  /** Whether the whole file was read. */
  readonly isComplete: boolean;
}

/**
 * Combines the lines of a bulk result into catalog items. A country-specific code can appear anywhere after its
 * variant, so the function must read all lines before it can assign any code.
 *
 * @param onProgress callback that receives the number of variants read so far
 */
export async function parseBulkFile(
  lines: AsyncIterable<unknown>,
  onProgress: (done: number) => void,
): Promise<BulkFile> {
  const variants: z.infer<typeof variantLine>[] = [];
  const usCodes = new Map<string, string>();
  let isComplete = true;
  try {
    for await (const line of lines) {
      const code = codeLine.safeParse(line).data;
      const usCode = code && usCodeOf([code]);
      if (code && usCode) usCodes.set(code.__parentId, usCode);
      if (code) continue;
      const variant = variantLine.safeParse(line).data;
      if (!variant) throw new TruncatedFileError('a line isn’t a variant');
      variants.push(variant);
      if (variants.length % PAUSE_EVERY !== 0) continue;
      onProgress(variants.length);
      await scheduler.yield();
    }
  } catch (error) {
    if (!(error instanceof TruncatedFileError)) throw error;
    isComplete = false;
  }
  const items: CatalogItem[] = [];
  for (const one of variants) {
    // Shopify doesn't document whether the parent of a country-specific code is the variant or its inventory item.
    items.push(toCatalogItem(one, usCodes.get(one.id) ?? usCodes.get(one.inventoryItem.id) ?? null));
    if (items.length % PAUSE_EVERY === 0) await scheduler.yield();
  }
  return { items, isComplete };
}
