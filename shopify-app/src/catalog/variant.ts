import { easternDate } from '@compliance/core/tariff';
import type { Shop, VariantChange } from '@compliance/store';
import { type CatalogStatus, type DigitState, type Listing, listsOf, type TariffAnswer } from './answer.ts';
import { titleOf } from './catalog.ts';
import type { CodeFor } from './goods.ts';

/** One variant and all that the lists say of it. Times are ms since epoch. */
export interface VariantView {
  readonly timeZone: string;
  readonly number: string;
  readonly product: string;
  readonly variant: string | null;
  readonly sku: string | null;
  /** As it was entered. */
  readonly htsCode: string | null;
  readonly printed: string | null;
  readonly codeFor: CodeFor;
  readonly origin: string | null;
  readonly digits: DigitState;
  readonly status: CatalogStatus;
  readonly listings: readonly Listing[];
  readonly below: TariffAnswer['below'];
  readonly near: TariffAnswer['near'];
  readonly checkedAt: number;
  readonly changedAt: number | null;
  readonly changes: readonly VariantChange[];
  readonly listVersion: string;
  /** The day that those lists are known through; null when they are not those of this release. */
  readonly knownThrough: string | null;
  /** The variant in Shopify's admin, where it may be edited. */
  readonly adminUrl: string;
}

/**
 * One variant from what is stored; null when there is none of this number.
 *
 * @param number as it stands in the address: a stranger's text
 */
export async function variantOf(shop: Shop, number: string, now: number): Promise<VariantView | null> {
  if (!/^\d{1,20}$/.test(number)) return null;
  const [record, kept] = await Promise.all([
    shop.record(),
    shop.variants.get(`gid://shopify/ProductVariant/${number}`),
  ]);
  if (!kept) return null;
  const lists = listsOf(easternDate(now));
  const { printed, codeFor, listings, below, near } = kept.answer as TariffAnswer;
  const store = shop.domain.replace('.myshopify.com', '');
  const product = kept.productId.split('/').at(-1);
  return {
    timeZone: record?.timeZone ?? 'UTC',
    ...{ number, product: kept.productTitle, variant: titleOf(kept.variantTitle), sku: kept.sku },
    ...{ htsCode: kept.htsCode, printed, codeFor, origin: kept.origin },
    digits: kept.digits as DigitState,
    status: kept.status as CatalogStatus,
    ...{ listings, below, near },
    ...{ checkedAt: kept.checkedAt, changedAt: kept.changedAt, changes: kept.changes, listVersion: kept.listVersion },
    knownThrough: kept.listVersion === lists.version ? lists.knownThrough : null,
    adminUrl: `https://admin.shopify.com/store/${store}/products/${product}/variants/${number}`,
  };
}
