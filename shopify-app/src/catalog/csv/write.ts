import { easternDate } from '@compliance/core/tariff';
import type { Shop, Variant } from '@compliance/store';
import { csvResponse } from '../../csv.ts';
import { everyRow } from '../../paging.ts';
import { listsOf, type TariffAnswer } from '../answer.ts';
import type { Asked } from '../filter.ts';

/** The columns of the file; those that `readCodes` takes back have the names that it knows. */
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

/** The variants that were asked for, all pages of them, as CSV. Times are UTC. */
export const exportCatalog = (shop: Shop, asked: Asked, now: number): Response =>
  csvResponse('catalog.csv', HEAD, rows(shop, asked, listsOf(easternDate(now)).version));

async function* rows(shop: Shop, { status, digits, text, changed }: Asked, version: string) {
  const list = (cursor: string | null) =>
    changed
      ? shop.variants.changedBy(version, { limit: 500, cursor })
      : shop.variants.list({ status, digits, text, limit: 500, cursor });
  for await (const variant of everyRow(list)) yield rowOf(variant);
}

function rowOf(variant: Variant): (string | number | null)[] {
  const { printed, listings } = variant.answer as TariffAnswer;
  const each = (cell: (listing: TariffAnswer['listings'][number]) => string) => listings.map(cell).join('; ');
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
