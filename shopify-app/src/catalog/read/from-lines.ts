import { z } from 'zod';
import { countryCode, variantNode } from '../../admin/operations/catalog-variant.ts';
import { type Goods, goodsOf, usCodeOf } from '../goods.ts';
import { FileCut } from './json-lines.ts';

const variantLine = variantNode.extend({
  inventoryItem: variantNode.shape.inventoryItem.omit({ countryHarmonizedSystemCodes: true }),
});
const codeLine = countryCode.extend({ __parentId: z.string() });

/** What a file of a bulk operation held. */
export interface ReadFile {
  readonly goods: readonly Goods[];
  /** Whether it could be read to its end. */
  readonly whole: boolean;
}

/**
 * Puts the lines of a bulk operation together. A code for a country comes somewhere after its variant, so all of them must
 * have come before the first variant has its code.
 *
 * @param said how many variants have come so far
 */
export async function goodsFromLines(lines: AsyncIterable<unknown>, said: (done: number) => void): Promise<ReadFile> {
  const variants: z.infer<typeof variantLine>[] = [];
  const usCodes = new Map<string, string>();
  let whole = true;
  try {
    for await (const line of lines) {
      const code = codeLine.safeParse(line).data;
      const usCode = code && usCodeOf([code]);
      if (code && usCode) usCodes.set(code.__parentId, usCode);
      if (code) continue;
      const variant = variantLine.safeParse(line).data;
      if (!variant) throw new FileCut('a line is no variant');
      variants.push(variant);
      if (variants.length % 1000 === 0) said(variants.length);
    }
  } catch (error) {
    if (!(error instanceof FileCut)) throw error;
    whole = false;
  }
  // Whether the parent is the variant or the item within it, Shopify does not say.
  const goods = variants.map(one => goodsOf(one, usCodes.get(one.id) ?? usCodes.get(one.inventoryItem.id) ?? null));
  return { goods, whole };
}
