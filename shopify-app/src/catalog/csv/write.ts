import { easternDate } from '@compliance/core/tariff';
import type { Shop, Variant } from '@compliance/store';
import { csvResponse } from '../../csv.ts';
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
  let cursor: string | null = null;
  do {
    const query: { limit: number; cursor: string | null } = { limit: 500, cursor };
    const page: Awaited<ReturnType<Shop['variants']['list']>> = changed
      ? await shop.variants.changedBy(version, query)
      : await shop.variants.list({ ...query, status, digits, text });
    for (const variant of page.rows) yield rowOf(variant);
    cursor = page.next;
  } while (cursor !== null);
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
