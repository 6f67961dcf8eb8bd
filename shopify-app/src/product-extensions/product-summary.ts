import { type Dataset, easternDate } from '@compliance/core/tariff';
import { tariffLists } from '../catalog/model/classify.ts';
import { type IssuingContext, productGid } from '../certificates/certificate-context.ts';
import { productOf } from '../certificates/product.ts';
import { translationFor } from '../translation/translation.ts';
import type { NewestCertificate, ProductError, ProductSummary } from './contract.ts';
import { variantGroupsOf } from './variant-groups.ts';

/** Maximum number of variants in a summary. */
const MAX_VARIANTS = 250;

/**
 * Returns a product's tariff results and newest certificate, using only stored data.
 *
 * @param number untrusted numeric product ID
 * @param language BCP 47 tag of the Shopify admin's language, or null for English
 * @returns null if no variant of this product is in the shop's catalog
 * @example await productSummaryOf(context, '8', DATASET, 'de')
 */
export async function productSummaryOf(
  context: IssuingContext,
  number: string,
  dataset: Dataset,
  language: string | null,
): Promise<ProductSummary | null> {
  if (!isProductNumber(number)) return null;
  const today = easternDate(context.clock());
  const lists = tariffLists(today, dataset);
  const [{ rows, next }, product] = await Promise.all([
    context.merchant.shop.variants.list({ productId: productGid(number), limit: MAX_VARIANTS }),
    productOf(context, number),
  ]);
  if (rows.length === 0) return null;
  return {
    groups: variantGroupsOf(rows, dataset, translationFor(language)),
    variants: rows.length,
    isCut: next !== null,
    checkedAt: Math.min(...rows.map(({ checkedAt }) => checkedAt)),
    listsKnownThrough: lists.knownThrough,
    isCurrent: rows.every(({ listVersion }) => listVersion === lists.version),
    areListsOld: today > lists.knownThrough,
    certificate: certificateOf(product),
  };
}

/** Returns whether untrusted text can be a numeric product ID. */
export const isProductNumber = (text: string): boolean => /^\d{1,20}$/.test(text);

function certificateOf(product: Awaited<ReturnType<typeof productOf>>): NewestCertificate {
  const { current = null, draft = null } = product ?? {};
  const { missing, contradictions, issues = [] } = current ? { ...current, issues: [] } : (draft?.check ?? {});
  return {
    status: current?.status ?? (draft ? 'draft' : null),
    id: current?.id ?? null,
    hasDraft: draft !== null,
    missing: missing?.length ?? 0,
    faults: issues.length + (contradictions?.length ?? 0),
    retestDue: current?.retests[0]?.due ?? null,
    verificationUrl: current?.verificationUrl ?? null,
  };
}

const STATUSES: Readonly<Partial<Record<ProductError['error'], number>>> = {
  bad_request: 400,
  unknown_product: 404,
  no_certificate: 404,
};

/** Returns the response for a request that failed. The status is 503 if Shopify caused the failure. */
export const productErrorResponse = (error: ProductError['error']): Response =>
  Response.json({ error }, { status: STATUSES[error] ?? 503 });
