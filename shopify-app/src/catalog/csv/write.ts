import { type Dataset, easternDate } from '@compliance/core/tariff';
import type { Shop, Variant } from '@compliance/store/shop';
import { csvResponse } from '../../lib/csv.ts';
import { everyRow } from '../../lib/paging.ts';
import { type TariffResult, tariffLists } from '../model/classify.ts';
import { type CatalogQuery, listQueryOf } from '../model/query.ts';

/** Columns of the exported file. The importable columns have names that `previewImport` recognizes. */
const HEAD = [
  'Variant ID',
  'SKU',
  'Product',
  'Variant',
  'HTS code',
  'Country of origin',
  'Digits',
  'Status',
  'Listings',
  'Duty %',
  'Conditions',
  'Citations',
  'List version',
  'Checked',
] as const;

/** Exports all variants that match the query as a CSV response. Times are in UTC. */
export const exportCatalog = (shop: Shop, asked: CatalogQuery, now: number, dataset: Dataset): Response =>
  csvResponse('catalog.csv', HEAD, rows(shop, asked, tariffLists(easternDate(now), dataset).version));

async function* rows(shop: Shop, asked: CatalogQuery, version: string) {
  const list = (cursor: string | null) => shop.variants.list({ ...listQueryOf(asked, version), limit: 500, cursor });
  for await (const variant of everyRow(list)) yield rowOf(variant);
}

function rowOf(variant: Variant): (string | number | null)[] {
  const { printed, listings } = variant.answer as TariffResult;
  const each = (cell: (listing: TariffResult['listings'][number]) => string) => listings.map(cell).join('; ');
  return [
    variant.variantId,
    variant.sku,
    variant.productTitle,
    variant.variantTitle,
    printed ?? variant.htsCode,
    variant.origin,
    variant.digits,
    variant.status,
    each(({ program, role, hts }) => `${program} ${role} ${hts}`),
    each(({ rate_pct }) => (rate_pct === null ? '?' : String(rate_pct))),
    each(({ conditions }) => conditions.map(({ text }) => text).join(' and ')),
    each(({ citation }) => citation),
    variant.listVersion,
    new Date(variant.checkedAt).toISOString(),
  ];
}
