import {
  type CodeCandidate,
  type Dataset,
  easternDate,
  type LocalizedListing,
  type LocalizedStacking,
  localizeListing,
  localizeStacking,
} from '@compliance/core/tariff';
import type { Shop, VariantChange, VariantNeighbors } from '@compliance/store/shop';
import { translationFor } from '../translation/translation.ts';
import { candidatesFor } from './hts-text.ts';
import { type CodeFor, variantTitleOf } from './model/catalog-item.ts';
import {
  type CatalogStatus,
  type DigitState,
  type TariffListing,
  type TariffResult,
  tariffLists,
} from './model/classify.ts';
import { type DutyView, dutyViewOf } from './model/duty.ts';
import { flagOf, type VariantFlag } from './model/efiling.ts';
import { type CatalogQuery, listQueryOf } from './model/query.ts';
import { NO_REFERENCE_DATA, type ReferenceData } from './reference-data.ts';

/** Listing with the most specific official descriptions of its code. The descriptions are null if they're unknown. */
type Described<Listing> = Listing & { readonly description: readonly string[] | null };

/** Variant and its tariff result. Times are in milliseconds since the Unix epoch. */
export interface VariantView extends DutyView {
  readonly timeZone: string;
  readonly number: string;
  readonly product: string;
  readonly variant: string | null;
  readonly sku: string | null;
  /** Code as entered. */
  readonly htsCode: string | null;
  readonly printed: string | null;
  /** Name of the HTS edition that the descriptions are from, or null if no edition is loaded. */
  readonly edition: string | null;
  /**
   * The code's official descriptions from the heading down, or null if the code isn't in the edition or no edition is
   * loaded.
   */
  readonly description: readonly string[] | null;
  /** Codes that might apply if the variant doesn't have a full code, or null if it does or if no edition is loaded. */
  readonly candidates: readonly CodeCandidate[] | null;
  /** CPSC's eFiling flag, or null if there's no valid code. */
  readonly efiling: VariantFlag | null;
  readonly codeFor: CodeFor;
  readonly origin: string | null;
  readonly digits: DigitState;
  readonly status: CatalogStatus;
  readonly listings: readonly LocalizedListing<TariffListing>[];
  readonly stacking: readonly LocalizedStacking[];
  readonly below: readonly Described<TariffResult['below'][number]>[];
  readonly near: readonly Described<TariffResult['near'][number]>[];
  readonly checkedAt: number;
  readonly changedAt: number | null;
  readonly changes: readonly VariantChange[];
  readonly listVersion: string;
  /** Date through which the tariff lists are current, or null if the result isn't based on the current lists. */
  readonly knownThrough: string | null;
  /** Filters and sort order of the list that the merchant came from. */
  readonly asked: CatalogQuery;
  /** Numeric IDs of the previous and next variants in the merchant's list, or null at the start or end of the list. */
  readonly neighbors: VariantNeighbors;
  /** URL for editing the variant in the Shopify admin. */
  readonly adminUrl: string;
}

/**
 * Returns a variant from stored data, or null if no variant has this ID.
 *
 * @param number untrusted numeric variant ID from the URL
 * @param options `requested` is the request's preferred language. The language in the shop's settings takes precedence.
 * `asked` is the list that the merchant came from.
 */
export async function variantOf(
  shop: Shop,
  number: string,
  now: number,
  dataset: Dataset,
  {
    requested = null,
    asked = {},
    reference: { hts, flags } = NO_REFERENCE_DATA,
  }: { readonly requested?: string | null; readonly asked?: CatalogQuery; readonly reference?: ReferenceData } = {},
): Promise<VariantView | null> {
  if (!/^\d{1,20}$/.test(number)) return null;
  const lists = tariffLists(easternDate(now), dataset);
  const variantId = `gid://shopify/ProductVariant/${number}`;
  const [record, kept, { previous, next }] = await Promise.all([
    shop.record(),
    shop.variants.get(variantId),
    shop.variants.neighbors(variantId, listQueryOf(asked, lists.version)),
  ]);
  if (!kept) return null;
  const { printed, codeFor, listings, stacking = [], below, near } = kept.answer as TariffResult;
  const translation = translationFor(record?.settings.locale ?? requested);
  const store = shop.domain.replace('.myshopify.com', '');
  const product = kept.productId.split('/').at(-1);
  const described = <Listing extends { readonly hts: string }>(listing: Listing) => ({
    ...listing,
    description: hts?.summarize(listing.hts) ?? null,
  });
  return {
    timeZone: record?.timeZone ?? 'UTC',
    ...{ number, product: kept.productTitle, variant: variantTitleOf(kept.variantTitle), sku: kept.sku },
    ...{ ...dutyViewOf(kept), asked: { ...asked, cursor: undefined } },
    neighbors: { previous: numberOf(previous), next: numberOf(next) },
    ...{ htsCode: kept.htsCode, printed, codeFor, origin: kept.origin },
    digits: kept.digits as DigitState,
    status: kept.status as CatalogStatus,
    listings: listings.map(listing => localizeListing(listing, translation)),
    stacking: stacking.map(each => localizeStacking(each, translation)),
    ...{ below: below.map(described), near: near.map(described) },
    edition: hts?.edition ?? null,
    description: (printed !== null && hts?.describe(printed)) || null,
    candidates: candidatesFor(hts, { ...kept, printed }),
    efiling: flagOf(printed, flags),
    ...{ checkedAt: kept.checkedAt, changedAt: kept.changedAt, changes: kept.changes, listVersion: kept.listVersion },
    knownThrough: kept.listVersion === lists.version ? lists.knownThrough : null,
    adminUrl: `https://admin.shopify.com/store/${store}/products/${product}/variants/${number}`,
  };
}

const numberOf = (id: string | null): string | null => id?.split('/').at(-1) ?? null;
