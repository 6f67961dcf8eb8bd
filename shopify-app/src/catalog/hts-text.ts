import {
  type CodeCandidate,
  type FindCandidates,
  loadNomenclature,
  type ProductText,
  parseHtsCode,
  prepareCandidates,
} from '@compliance/core/tariff';
import type { StoredNomenclature } from '@compliance/store';
import { variantTitleOf } from './model/catalog-item.ts';

/** Maximum number of candidates for a missing code, and for a short code. */
const LIMITS = { missing: 5, short: 10 };

/** Official text of one HTS edition, in English. */
export interface HtsText {
  /** Name of the edition, such as `HTS 2026 Revision 10`. */
  readonly edition: string;
  /**
   * Returns a code's descriptions, from the heading down, or null if the edition doesn't contain the code or the text
   * isn't a code.
   */
  describe(code: string): readonly string[] | null;
  /** Returns a code's most specific descriptions, starting with the last one that isn't just `Other`. */
  summarize(code: string): readonly string[] | null;
  /** Finds codes that might apply to a product. */
  readonly findCandidates: FindCandidates;
}

/**
 * Loads an HTS export that `compliance hts import` stored. Takes about half a second.
 *
 * @throws NomenclatureError if the text isn't an HTS export
 * @example loadHtsText((await store.nomenclatures.latest())!).describe('7318.15.20') // ['Screws, …', 'Threaded articles', …]
 */
export function loadHtsText({ body, edition }: Pick<StoredNomenclature, 'body' | 'edition'>): HtsText {
  const nomenclature = loadNomenclature(JSON.parse(body), edition);
  const describe = (code: string) => {
    const parsed = parseHtsCode(code);
    return (parsed.ok ? nomenclature.describe(parsed.digits) : null)?.map(withoutColon) ?? null;
  };
  const findCandidates = prepareCandidates(nomenclature);
  return {
    edition,
    describe,
    summarize(code) {
      const rows = describe(code);
      return rows?.slice(rows.findLastIndex(row => !/^other$/i.test(row))) ?? null;
    },
    findCandidates: (product, options) =>
      findCandidates(product, options).map(({ description, ...candidate }) => ({
        ...candidate,
        description: description.map(withoutColon),
      })),
  };
}

/**
 * Returns codes that might apply to a variant with a short, missing, or invalid code, or null if the variant has a full
 * code or no HTS text is loaded. Shopify doesn't have a field for the material, but variant titles often mention it.
 *
 * @example candidatesFor(hts, { digits: 'short', printed: '7318.15', productTitle: 'Stainless bolt', variantTitle: 'M8' })
 */
export function candidatesFor(
  hts: HtsText | null,
  variant: {
    readonly digits: string;
    readonly printed: string | null;
    readonly productTitle: string;
    readonly variantTitle: string;
    readonly productType?: string | null | undefined;
  },
): readonly CodeCandidate[] | null {
  if (!hts || variant.digits === 'full') return null;
  const product: ProductText = {
    title: variant.productTitle,
    type: variant.productType,
    material: variantTitleOf(variant.variantTitle),
  };
  if (variant.digits !== 'short' || variant.printed === null)
    return hts.findCandidates(product, { limit: LIMITS.missing });
  const under = variant.printed.replaceAll('.', '');
  return hts.findCandidates(product, { under, limit: LIMITS.short });
}

const withoutColon = (row: string): string => row.replace(/\s*:$/, '');
