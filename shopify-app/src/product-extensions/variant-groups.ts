import { type Dataset, localizeListing, type TariffTranslation } from '@compliance/core/tariff';
import type { Variant } from '@compliance/store/shop';
import { variantTitleOf } from '../catalog/model/catalog-item.ts';
import type { CatalogStatus, TariffListing, TariffResult } from '../catalog/model/classify.ts';
import type { DecidingFact, ListedDuty, TariffCoverage, VariantResult } from './contract.ts';

/** Maximum number of variant titles per group. */
const MAX_TITLES = 3;

const COVERAGE: Readonly<Record<CatalogStatus, TariffCoverage>> = {
  hit: 'covered',
  in_scope: 'covered',
  adjacent: 'not_covered',
  clear: 'not_covered',
  needs_digits: 'unknown',
  missing: 'unknown',
  invalid: 'unknown',
};

const ORDER: readonly TariffCoverage[] = ['covered', 'unknown', 'not_covered'];

/**
 * Groups a product's variants by code, origin, and result: covered variants first, then unknown ones, then variants
 * that aren't covered.
 *
 * @example variantGroupsOf(rows, DATASET, translationFor('de'))[0].coverage // 'covered'
 */
export function variantGroupsOf(
  variants: readonly Variant[],
  dataset: Dataset,
  translation: TariffTranslation,
): VariantResult[] {
  const groups = Map.groupBy(variants, ({ htsCode, origin, status, answer }) =>
    JSON.stringify([htsCode, origin, status, (answer as TariffResult).listings]),
  );
  return [...groups.values()]
    .map(group => groupOf(group, dataset, translation))
    .sort((a, b) => ORDER.indexOf(a.coverage) - ORDER.indexOf(b.coverage));
}

function groupOf(variants: readonly Variant[], dataset: Dataset, translation: TariffTranslation): VariantResult {
  const { variantId, htsCode, origin, ...first } = variants[0]!;
  const { printed, listings } = first.answer as TariffResult;
  const status = first.status as CatalogStatus;
  const coverage = COVERAGE[status];
  return {
    number: variantId.split('/').at(-1)!,
    count: variants.length,
    titles: variants.flatMap(({ variantTitle }) => variantTitleOf(variantTitle) ?? []).slice(0, MAX_TITLES),
    code: printed ?? htsCode,
    origin,
    status,
    coverage,
    // A short code's listings cover only some of the codes that start with the short code.
    duties: coverage === 'covered' ? listings.map(listing => dutyOf(listing, dataset, translation)) : [],
  };
}

const dutyOf = (listing: TariffListing, dataset: Dataset, translation: TariffTranslation): ListedDuty => ({
  program: listing.program,
  role: listing.role,
  rate: listing.rate_pct,
  rateType: listing.rate_type,
  basis: listing.value_basis,
  from: listing.duty_from ?? listing.effective_from,
  citation: listing.citation,
  decidedBy: decidingFactsOf(listing, dataset, translation),
});

/** Returns the facts that determine which of a listing's possible duties applies, with translated text. */
function decidingFactsOf(
  { conditions, outcomes, undecided }: TariffListing,
  dataset: Dataset,
  translation: TariffTranslation,
): DecidingFact[] {
  const known = new Map([...conditions, ...outcomes.flatMap(({ when }) => when)].map(({ id, text }) => [id, text]));
  const facts = undecided
    .filter(id => id !== 'origin')
    .map(id => ({ id, text: known.get(id) ?? dataset.conditions[id]?.text ?? id.replaceAll('_', ' ') }));
  const localized = localizeListing({ conditions: facts, outcomes: [], caveats: [] }, translation).conditions;
  return [
    ...(undecided.includes('origin') ? [{ fact: 'origin' } as const] : []),
    ...localized.map(({ text, language = 'en' }) => ({ fact: 'condition', text, language }) as const),
  ];
}
