import { AdminFailed, type AdminFault } from '../../admin/admin.ts';
import type { Merchant } from '../../merchant.ts';
import { refreshProduct } from '../refresh-product.ts';
import { type Codes, type SaveFault, type SaveOptions, saveCode } from './save-code.ts';

/** What a form is answered: saved, a fault at a field, or why Shopify did not answer. */
export type SaveAnswer = { readonly saved: true } | { readonly fault: SaveFault } | { readonly failed: AdminFault };

/**
 * Saves what a merchant put into the form of one variant, then reads the product anew, so that the page shows what Shopify has.
 *
 * @param number of the variant, as it stands in the address
 * @throws Response of Shopify's package, which brings the merchant back with a fresh token
 */
export async function saveFromForm(
  merchant: Merchant,
  number: string,
  form: FormData,
  options: SaveOptions & { readonly now: number },
): Promise<SaveAnswer> {
  const read = (prefix: string): Codes => ({
    htsCode: textOf(form.get(`${prefix}HtsCode`)),
    origin: textOf(form.get(`${prefix}Origin`)),
  });
  const variantId = `gid://shopify/ProductVariant/${number}`;
  try {
    const change = { variantId, expected: read('expected'), wanted: read('wanted') };
    const answer = await saveCode(merchant, change, options);
    const isStale = 'fault' in answer && answer.fault.code === 'changed_meanwhile';
    const productId =
      'productId' in answer ? answer.productId : (await merchant.shop.variants.get(variantId))?.productId;
    if (productId && ('productId' in answer || isStale)) {
      await refreshProduct(merchant, { productId }, { ...options, run: `save ${variantId}` });
    }
    return 'fault' in answer ? answer : { saved: true };
  } catch (error) {
    if (error instanceof AdminFailed) return { failed: error.fault };
    throw error;
  }
}

const textOf = (value: FormDataEntryValue | null): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 50) : null;
