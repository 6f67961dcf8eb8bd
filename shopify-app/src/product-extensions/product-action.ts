import { AdminApiError } from '../admin/admin.ts';
import { refreshProduct } from '../catalog/read/refresh-product.ts';
import { type IssuingContext, productGid } from '../certificates/certificate-context.ts';
import { startDraft } from '../certificates/drafts.ts';
import type { ProductError } from './contract.ts';
import { isProductNumber } from './product-summary.ts';

/** Options for an action on a product. */
interface ActionOptions {
  readonly signal: AbortSignal;
}

/**
 * Runs an action that the admin extension requests for a product. `check` rereads the product from Shopify and looks up
 * its codes, and `draft` starts a certificate draft unless the product already has one.
 *
 * @param number untrusted numeric product ID
 * @returns null if the action succeeded, or the reason that it failed
 * @throws Response from the Shopify package if the app needs a new token
 * @example await runProductAction(context, '8', 'check', { signal: request.signal }) // null
 */
export async function runProductAction(
  context: IssuingContext,
  number: string,
  action: string,
  { signal }: ActionOptions,
): Promise<ProductError['error'] | null> {
  if (!isProductNumber(number)) return 'unknown_product';
  const productId = productGid(number);
  switch (action) {
    case 'check':
      return await check(context, productId, signal);
    case 'draft':
      return (await startDraft(context, productId)) ? null : 'unknown_product';
    default:
      return 'bad_request';
  }
}

async function check({ merchant, clock }: IssuingContext, productId: string, signal: AbortSignal) {
  try {
    const options = { signal, now: clock(), run: `check ${productId}` };
    return (await refreshProduct(merchant, { productId }, options)) > 0 ? null : 'unknown_product';
  } catch (error) {
    if (error instanceof AdminApiError) return error.fault;
    throw error;
  }
}
