import { AdminApiError, type AdminFault } from '../../admin/admin.ts';
import type { Merchant } from '../../admin/merchant.ts';
import { refreshProduct } from '../read/refresh-product.ts';
import { type Codes, type SaveFault, type SaveOptions, saveCode } from './save-code.ts';

/**
 * Result of a form submission: `saved` if the codes were saved, `fault` for a field error, or `failed` for an Admin API
 * error.
 */
export type SaveCodeResult = { readonly saved: true } | { readonly fault: SaveFault } | { readonly failed: AdminFault };

/**
 * Saves the values from a variant's form. If the values were saved, or if they had already been changed in Shopify,
 * rereads the product so that the page shows the current values.
 *
 * @param number numeric variant ID from the URL
 * @throws Response that redirects the merchant to get a fresh token
 */
export async function saveFromForm(
  merchant: Merchant,
  number: string,
  form: FormData,
  options: SaveOptions & { readonly now: number },
): Promise<SaveCodeResult> {
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
    if (error instanceof AdminApiError) return { failed: error.fault };
    throw error;
  }
}

const textOf = (value: FormDataEntryValue | null): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 50) : null;
