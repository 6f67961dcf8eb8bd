import { easternDate } from '@compliance/core/tariff';
import type { Job, Page, Shop, Variant } from '@compliance/store';
import { pageAt } from '../paging.ts';
import { ANSWERED, type CatalogStatus, type DigitState, listsOf, type TariffAnswer } from './answer.ts';
import type { CatalogOutcome, CatalogProgress } from './catalog-job.ts';
import { type Asked, PAGE_SIZE } from './filter.ts';
import { CATALOG } from './words.ts';

/** What keeps a merchant from trusting the list, gravest first. */
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

/** One variant in the list. */
export interface CatalogRow {
  /** The number of the variant, as it stands in addresses. */
  readonly number: string;
  readonly product: string;
  /** Null for a product of one variant. */
  readonly variant: string | null;
  readonly sku: string | null;
  /** As the HTS prints it, else as it was entered. */
  readonly code: string | null;
  readonly origin: string | null;
  readonly digits: DigitState;
  readonly status: CatalogStatus;
  /** The listings that cover it, each with its rate in percent; null where our sources give none. */
  readonly listings: readonly {
    readonly program: string;
    readonly role: string;
    readonly rate: number | null;
    /** Whether facts about the goods decide if that rate is charged. */
    readonly depends: boolean;
  }[];
}

/** How much of the catalog has an answer. What has none is unknown, never "not listed". */
interface Coverage {
  readonly total: number;
  readonly products: number;
  readonly answered: number;
  readonly listed: number;
  readonly missing: number;
  readonly short: number;
  readonly invalid: number;
}

/** What the list shows. Times are ms since epoch. */
export interface CatalogView {
  readonly timeZone: string;
  readonly now: number;
  readonly live: { readonly queued: boolean; readonly progress: CatalogProgress | null } | null;
  readonly notices: readonly CatalogNotice[];
  /** Whether the catalog was ever read to an end. */
  readonly everRead: boolean;
  readonly coverage: Coverage;
  readonly lists: { readonly version: string; readonly knownThrough: string };
  /** How many variants these lists gave another answer; at most `MOST_CHANGED`, then there are more. */
  readonly changed: { readonly count: number; readonly more: boolean };
  readonly asked: Asked;
  readonly rows: readonly CatalogRow[];
  readonly next: string | null;
}

const MOST_CHANGED = 50;

/**
 * Everything on the catalog's page, from what is stored alone.
 *
 * @example const view = await catalogOf(merchant.shop, readAsked(query), Date.now());
 */
export async function catalogOf(shop: Shop, asked: Asked, now: number): Promise<CatalogView> {
  const lists = listsOf(easternDate(now));
  const [record, job, counts, changed, page] = await Promise.all([
    shop.record(),
    shop.jobs.latest(CATALOG),
    shop.variants.counts(),
    shop.variants.changedBy(lists.version, { limit: MOST_CHANGED }),
    pageOf(shop, asked, lists.version),
  ]);
  const of = (...words: readonly CatalogStatus[]) => words.reduce((sum, word) => sum + (counts.byStatus[word] ?? 0), 0);
  const isOld = Object.keys(counts.byListVersion).some(version => version !== lists.version);
  const live = job && (job.state === 'queued' || job.state === 'running') && job.runAt <= now ? job : null;
  return {
    timeZone: record?.timeZone ?? 'UTC',
    now,
    live: live && { queued: live.state === 'queued', progress: live.progress as CatalogProgress | null },
    notices: [
      // While the token is gone, that says it all.
      ...(record?.needsReopeningAt == null ? noticesOf(job) : (['needs_reopening'] as const)),
      ...(easternDate(now) > lists.knownThrough ? (['lists_old'] as const) : []),
      ...(isOld ? (['answers_old'] as const) : []),
    ],
    everRead: counts.total > 0 || job?.state === 'done',
    coverage: {
      total: counts.total,
      products: counts.products,
      answered: of(...ANSWERED),
      listed: of('hit', 'in_scope'),
      missing: of('missing'),
      short: of('needs_digits'),
      invalid: of('invalid'),
    },
    lists,
    changed: { count: changed.rows.length, more: changed.next !== null },
    asked,
    rows: page.rows.map(rowOf),
    next: page.next,
  };
}

async function pageOf(shop: Shop, asked: Asked, version: string): Promise<Page<Variant>> {
  const list = (cursor: string | undefined) => {
    const query = { limit: PAGE_SIZE, cursor };
    if (asked.changed) return shop.variants.changedBy(version, query);
    return shop.variants.list({ ...query, status: asked.status, digits: asked.digits, text: asked.text });
  };
  return await pageAt(asked.cursor, list);
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

/** A variant as the list shows it. */
function rowOf({ variantId, productTitle, variantTitle, sku, origin, ...kept }: Variant): CatalogRow {
  const { printed, listings } = kept.answer as TariffAnswer;
  return {
    number: variantId.split('/').at(-1)!,
    product: productTitle,
    variant: titleOf(variantTitle),
    sku,
    code: printed ?? kept.htsCode,
    origin,
    digits: kept.digits as DigitState,
    status: kept.status as CatalogStatus,
    listings: listings.map(({ program, role, rate_pct, conditions, undecided }) => ({
      ...{ program, role, rate: rate_pct },
      depends: conditions.length + undecided.length > 0,
    })),
  };
}

/** Shopify calls the only variant of a product so, in every language. */
export const titleOf = (variantTitle: string): string | null =>
  variantTitle === 'Default Title' ? null : variantTitle;

/** Has the whole catalog read, or joins the reading that is under way. @throws StoreError `shop_unknown`, `shop_uninstalled` */
export async function startReading(shop: Shop): Promise<void> {
  await shop.jobs.enqueue({ kind: CATALOG });
}
