import { type Dataset, easternDate } from '@compliance/core/tariff';
import type { Shop, VariantChange } from '@compliance/store/shop';
import { type CodeFor, variantTitleOf } from './model/catalog-item.ts';
import {
  type CatalogStatus,
  type DigitState,
  type TariffListing,
  type TariffResult,
  tariffLists,
} from './model/classify.ts';

/** Variant and its tariff result. Times are in milliseconds since the Unix epoch. */
export interface VariantView {
  readonly timeZone: string;
  readonly number: string;
  readonly product: string;
  readonly variant: string | null;
  readonly sku: string | null;
  /** Code as entered. */
  readonly htsCode: string | null;
  readonly printed: string | null;
  readonly codeFor: CodeFor;
  readonly origin: string | null;
  readonly digits: DigitState;
  readonly status: CatalogStatus;
  readonly listings: readonly TariffListing[];
  readonly stacking: NonNullable<TariffResult['stacking']>;
  readonly below: TariffResult['below'];
  readonly near: TariffResult['near'];
  readonly checkedAt: number;
  readonly changedAt: number | null;
  readonly changes: readonly VariantChange[];
  readonly listVersion: string;
  /** Date through which the tariff lists are current, or null if the result isn't based on the current lists. */
  readonly knownThrough: string | null;
  /** URL for editing the variant in the Shopify admin. */
  readonly adminUrl: string;
}

/**
 * Returns a variant from stored data, or null if no variant has this ID.
 *
 * @param number untrusted numeric variant ID from the URL
 */
export async function variantOf(
  shop: Shop,
  number: string,
  now: number,
  dataset: Dataset,
): Promise<VariantView | null> {
  if (!/^\d{1,20}$/.test(number)) return null;
  const [record, kept] = await Promise.all([
    shop.record(),
    shop.variants.get(`gid://shopify/ProductVariant/${number}`),
  ]);
  if (!kept) return null;
  const lists = tariffLists(easternDate(now), dataset);
  const { printed, codeFor, listings, stacking = [], below, near } = kept.answer as TariffResult;
  const store = shop.domain.replace('.myshopify.com', '');
  const product = kept.productId.split('/').at(-1);
  return {
    timeZone: record?.timeZone ?? 'UTC',
    ...{ number, product: kept.productTitle, variant: variantTitleOf(kept.variantTitle), sku: kept.sku },
    ...{ htsCode: kept.htsCode, printed, codeFor, origin: kept.origin },
    digits: kept.digits as DigitState,
    status: kept.status as CatalogStatus,
    ...{ listings, stacking, below, near },
    ...{ checkedAt: kept.checkedAt, changedAt: kept.changedAt, changes: kept.changes, listVersion: kept.listVersion },
    knownThrough: kept.listVersion === lists.version ? lists.knownThrough : null,
    adminUrl: `https://admin.shopify.com/store/${store}/products/${product}/variants/${number}`,
  };
}
