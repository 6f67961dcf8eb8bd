import type { EfilingFlag } from '@compliance/core/entry';
import { type Dataset, easternDate } from '@compliance/core/tariff';
import type { Job, Page, Shop, Variant } from '@compliance/store/shop';
import { pageAt } from '../lib/paging.ts';

import type { CatalogOutcome, CatalogProgress } from './catalog-job.ts';
import { variantTitleOf } from './model/catalog-item.ts';
import {
  type CatalogStatus,
  CLASSIFIED_STATUSES,
  type DigitState,
  type TariffResult,
  tariffLists,
} from './model/classify.ts';
import { type DutyView, dutyViewOf } from './model/duty.ts';
import { flagOf } from './model/efiling.ts';
import { CATALOG } from './model/job-types.ts';
import { CATALOG_PAGE_SIZE, type CatalogQuery, listQueryOf } from './model/query.ts';
import { NO_REFERENCE_DATA, type ReferenceData } from './reference-data.ts';

/** Problems that make the catalog list unreliable, most severe first. */
type CatalogNotice =
  | 'needs_reopening'
  | 'frozen'
  | 'no_scope'
  | 'throttled'
  | 'failed'
  | 'unavailable'
  | 'interrupted'
  | 'partial'
  | 'lists_old'
  | 'answers_old';

/** Variant in the catalog list. */
export interface CatalogRow extends DutyView {
  /** Numeric variant ID, as used in URLs. */
  readonly number: string;
  readonly productId: string;
  readonly product: string;
  /** URL of a small image of the product, or null. */
  readonly image: string | null;
  /** Variant title, or null for a product with a single variant. */
  readonly variant: string | null;
  readonly sku: string | null;
  /** Code in HTS notation if the code is valid, otherwise the code as entered. */
  readonly code: string | null;
  /** Most specific official descriptions of the code, in English, or null if unknown. */
  readonly description: readonly string[] | null;
  /** Status of CPSC's eFiling flag, or null if there's no valid code. */
  readonly efiling: EfilingFlag['status'] | null;
  readonly origin: string | null;
  readonly digits: DigitState;
  readonly status: CatalogStatus;
  /**
   * Listings that cover the code, each with its rate as a percentage. The rate is null if the sources don't state a
   * rate.
   */
  readonly listings: readonly {
    readonly program: string;
    readonly role: string;
    readonly rate: number | null;
    /** Whether the rate depends on facts about the product. */
    readonly depends: boolean;
  }[];
}

/**
 * Number of variants in the catalog by classification. A variant without a result counts as unknown, never as "not
 * covered".
 */
interface Coverage {
  readonly total: number;
  readonly products: number;
  readonly answered: number;
  readonly listed: number;
  readonly missing: number;
  readonly short: number;
  readonly invalid: number;
}

/** Catalog page content. Times are in milliseconds since the Unix epoch. */
export interface CatalogView {
  readonly timeZone: string;
  readonly now: number;
  readonly live: { readonly queued: boolean; readonly progress: CatalogProgress | null } | null;
  readonly notices: readonly CatalogNotice[];
  /** Whether the app has already read the catalog. */
  readonly everRead: boolean;
  readonly coverage: Coverage;
  readonly lists: { readonly version: string; readonly knownThrough: string };
  /** Name of the HTS edition that the descriptions are from, or null if no edition is loaded. */
  readonly edition: string | null;
  /** Date of CPSC's list of flagged codes, YYYY-MM-DD, or null if the list isn't loaded. */
  readonly flagsAsOf: string | null;
  /**
   * Number of variants whose result changed with the current tariff lists, up to `MAX_CHANGED`. `more` is true if more
   * results changed.
   */
  readonly changed: { readonly count: number; readonly more: boolean };
  readonly asked: CatalogQuery;
  readonly rows: readonly CatalogRow[];
  readonly next: string | null;
}

const MAX_CHANGED = 50;

/**
 * Returns the catalog page content, using only stored data.
 *
 * @example const view = await catalogOf(merchant.shop, parseCatalogQuery(query), Date.now(), merchant.dataset());
 */
export async function catalogOf(
  shop: Shop,
  asked: CatalogQuery,
  now: number,
  dataset: Dataset,
  reference: ReferenceData = NO_REFERENCE_DATA,
): Promise<CatalogView> {
  const lists = tariffLists(easternDate(now), dataset);
  const [record, job, counts, changed, page] = await Promise.all([
    shop.record(),
    shop.jobs.latest(CATALOG),
    shop.variants.counts(),
    shop.variants.list({ changedBy: lists.version, limit: MAX_CHANGED }),
    pageOf(shop, asked, lists.version),
  ]);
  const of = (...words: readonly CatalogStatus[]) => words.reduce((sum, word) => sum + (counts.byStatus[word] ?? 0), 0);
  const isOld = Object.keys(counts.byListVersion).some(version => version !== lists.version);
  const live = job && (job.state === 'queued' || job.state === 'running') && job.runAt <= now ? job : null;
  return {
    timeZone: record?.timeZone ?? 'UTC',
    now,
    // A job that is waiting for Shopify's export is in the `queued` state but already has progress to show.
    live: live && {
      queued: live.state === 'queued' && live.progress === null,
      progress: live.progress as CatalogProgress | null,
    },
    notices: [
      // Until the merchant reopens the app, the page doesn't show other job notices.
      ...(record?.needsReopeningAt == null ? noticesOf(job) : (['needs_reopening'] as const)),
      ...(easternDate(now) > lists.knownThrough ? (['lists_old'] as const) : []),
      ...(isOld ? (['answers_old'] as const) : []),
    ],
    everRead: counts.total > 0 || job?.state === 'done',
    coverage: {
      total: counts.total,
      products: counts.products,
      answered: of(...CLASSIFIED_STATUSES),
      listed: of('hit', 'in_scope'),
      missing: of('missing'),
      short: of('needs_digits'),
      invalid: of('invalid'),
    },
    lists,
    edition: reference.hts?.edition ?? null,
    flagsAsOf: reference.flags?.as_of ?? null,
    changed: { count: changed.rows.length, more: changed.next !== null },
    asked,
    rows: page.rows.map(variant => rowOf(variant, reference)),
    next: page.next,
  };
}

async function pageOf(shop: Shop, asked: CatalogQuery, version: string): Promise<Page<Variant>> {
  const query = { ...listQueryOf(asked, version), limit: CATALOG_PAGE_SIZE };
  return await pageAt(asked.cursor, cursor => shop.variants.list({ ...query, cursor }));
}

function noticesOf(job: Job | null): CatalogNotice[] {
  if (!job) return [];
  if (job.error === 'frozen' || job.error === 'throttled') return [job.error];
  if (job.error === 'forbidden') return ['no_scope'];
  if (job.error === 'revoked') return ['interrupted'];
  if (job.state === 'failed') return ['failed'];
  if (job.error !== null && job.state === 'queued') return ['unavailable'];
  return (job.result as CatalogOutcome | null)?.state === 'partial' ? ['partial'] : [];
}

/** Converts a variant to a row of the catalog list. */
function rowOf(
  { variantId, productId, productTitle, variantTitle, imageUrl = null, sku, origin, ...kept }: Variant,
  { hts, flags }: ReferenceData,
): CatalogRow {
  const { printed, listings } = kept.answer as TariffResult;
  return {
    number: variantId.split('/').at(-1)!,
    productId,
    product: productTitle,
    image: imageUrl,
    variant: variantTitleOf(variantTitle),
    sku,
    code: printed ?? kept.htsCode,
    description: (printed !== null && hts?.summarize(printed)) || null,
    efiling: flagOf(printed, flags)?.status ?? null,
    origin,
    ...dutyViewOf({ ...kept, origin }),
    digits: kept.digits as DigitState,
    status: kept.status as CatalogStatus,
    listings: listings.map(({ program, role, rate_pct, conditions, undecided }) => ({
      ...{ program, role, rate: rate_pct },
      depends: conditions.length + undecided.length > 0,
    })),
  };
}

/**
 * Enqueues a read of the whole catalog unless a catalog job is already queued or running.
 *
 * @throws StoreError `shop_unknown` or `shop_uninstalled` if the app isn't installed in the shop
 */
export async function startCatalogRead(shop: Shop): Promise<void> {
  await shop.jobs.enqueue({ kind: CATALOG });
}
