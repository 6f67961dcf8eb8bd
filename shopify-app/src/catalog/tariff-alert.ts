import { type Dataset, easternDate } from '@compliance/core/tariff';
import type { Shop, Variant } from '@compliance/store/shop';
import { recordAlerts } from '../alerts/alert.ts';
import { variantTitleOf } from './model/catalog-item.ts';
import { type TariffResult, tariffLists } from './model/classify.ts';

/** Maximum number of variants that an alert lists. */
const LISTED = 100;

/**
 * If the data set changed any variant's result, records an alert, at most once per data set version. Call this function
 * after the whole catalog has been classified with the data set.
 */
export async function recordTariffAlert(shop: Shop, now: number, dataset: Dataset): Promise<void> {
  const on = easternDate(now);
  const { version } = tariffLists(on, dataset);
  const { rows, next } = await shop.variants.list({ changedBy: version, limit: LISTED });
  if (rows.length === 0) return;
  const detail = { version, on, variants: rows.map(rowOf), more: next !== null };
  await recordAlerts(shop, now, [{ key: `tariff:${version}`, kind: 'tariff', detail }]);
}

function rowOf({ productTitle, variantTitle, htsCode, changes, answer, ...variant }: Variant) {
  const status = changes.find(({ field }) => field === 'status');
  const rates = changes.find(({ field }) => field === 'answer');
  const { printed, listings } = answer as TariffResult;
  const since = listings.flatMap(({ duty_from }) => duty_from ?? []).sort();
  return {
    title: [productTitle, variantTitleOf(variantTitle)].filter(Boolean).join(' '),
    code: printed ?? htsCode,
    change: status ? { from: status.from ?? '', to: status.to ?? '' } : null,
    since: since.at(-1) ?? null,
    status: variant.status,
    rate: { from: rates?.from ?? null, to: rates?.to ?? null },
    product: variant.productId.split('/').at(-1)!,
    variant: variant.variantId.split('/').at(-1)!,
  };
}
