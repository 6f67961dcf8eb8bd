import { easternDate } from '@compliance/core/tariff';
import type { Shop } from '@compliance/store';
import { type Admin, AdminFailed } from '../admin/admin.ts';
import { bulkPoll } from '../admin/operations/bulk-poll.ts';
import { variantsCount } from '../admin/operations/variants-count.ts';
import type { JobKind, JobTools } from '../jobs/job.ts';
import { answersOf } from './answer.ts';
import type { Goods } from './goods.ts';
import { type BulkRead, readBulk, startBulk } from './read/bulk.ts';
import { catalogPages } from './read/pages.ts';
import { type ProductRequest, refreshProduct } from './refresh-product.ts';
import { CATALOG, PRODUCT } from './words.ts';

/** From how many variants on Shopify writes a file instead of being asked page by page. */
const BULK_FROM = 2_000;

/** Variants that are answered and kept at a time. */
const BATCH = 500;

/** The payload of a job of kind `catalog`: the bulk operation whose end a webhook told of, or nothing. */
interface CatalogRequest {
  readonly bulkOperationId: string;
}

/**
 * How far a reading of the catalog is, the progress of a job of kind `catalog`, in variants. `exporting`: Shopify writes them
 * into a file. `total` is 0 while it is not known.
 */
export interface CatalogProgress {
  readonly step: 'counting' | 'exporting' | 'reading' | 'answering' | 'settling';
  readonly done: number;
  readonly total: number;
  /** The bulk operation that is waited for: another worker goes on with it. */
  readonly bulk: string | null;
}

/** What a `done` job of kind `catalog` gave. */
export interface CatalogOutcome {
  /** `partial`: Shopify gave a part of the catalog; what was known of the rest stays as it was. */
  readonly state: 'complete' | 'partial';
  readonly variants: number;
  readonly removed: number;
  readonly bulk: string | null;
}

/**
 * The job that reads the whole catalog and asks the lists about each variant. Run again from any point it does nothing twice;
 * what a partial reading did not see is never taken for gone.
 */
export const catalogJob = (clock: () => number): JobKind => ({
  kind: CATALOG,
  async run(tools): Promise<CatalogOutcome | null> {
    const { job, merchant, signal } = tools;
    const asked = (job.payload as CatalogRequest | null)?.bulkOperationId ?? null;
    const before = asked === null ? null : await earlier(merchant.shop, asked);
    if (before) return before;

    const say = sayer(tools);
    say('counting', 0);
    const startedAt = clock();
    const { productVariantsCount } = await merchant.admin.run(variantsCount, {}, { signal });
    say.total = productVariantsCount.count;

    let variants = 0;
    const asOf = easternDate(startedAt);
    const keep = async (goods: readonly Goods[]) => {
      for (let from = 0; from < goods.length; from += BATCH) {
        signal.throwIfAborted();
        const batch = goods.slice(from, from + BATCH);
        await merchant.shop.variants.upsert(job.id, answersOf(batch, asOf));
        say('answering', (variants += batch.length));
      }
    };
    const bulk = await fromBulk(tools, asked, say);
    // The end of an operation calls for no other, or they would follow each other for ever.
    if (bulk === null && asked !== null) return null;
    if (bulk) await keep(bulk.goods);
    else for await (const page of catalogPages(merchant.admin, signal)) await keep(page);

    say('settling', variants);
    await changedMeanwhile(tools, Math.min(startedAt, bulk?.since ?? startedAt), clock);
    const whole = bulk?.whole ?? true;
    const removed = whole ? await merchant.shop.variants.sweep(job.id) : 0;
    return { state: whole ? 'complete' : 'partial', variants, removed, bulk: say.bulk };
  },
});

/** What an earlier job made of a bulk operation: the news of its end often comes when all is done. */
async function earlier(shop: Shop, bulk: string): Promise<CatalogOutcome | null> {
  const jobs = await shop.jobs.list({ limit: 100 });
  const outcomes = jobs.flatMap(({ kind, state, result }) =>
    kind === CATALOG && state === 'done' && result ? [result as CatalogOutcome] : [],
  );
  return outcomes.find(outcome => outcome.bulk === bulk) ?? null;
}

/** Tells how far the job is. */
interface Say {
  (step: CatalogProgress['step'], done: number): void;
  total: number;
  bulk: string | null;
}

function sayer({ report }: JobTools): Say {
  const say: Say = Object.assign(
    (step: CatalogProgress['step'], done: number) =>
      report({ step, done, total: Math.max(say.total, done), bulk: say.bulk } satisfies CatalogProgress),
    { total: 0, bulk: null },
  );
  return say;
}

/** The catalog from a bulk operation; null when it is to be asked page by page. */
async function fromBulk({ job, merchant, signal }: JobTools, asked: string | null, say: Say): Promise<BulkRead | null> {
  const { admin } = merchant;
  const read = (id: string) => {
    say.bulk = id;
    return readBulk(admin, id, { signal, said: say });
  };
  const begun = asked ?? (job.progress as CatalogProgress | null)?.bulk ?? null;
  const taken = begun === null ? null : await read(begun);
  if (taken || asked !== null) return taken;
  say.bulk = null;
  if (say.total < BULK_FROM) return null;
  return await started(admin, signal, read);
}

async function started(admin: Admin, signal: AbortSignal, read: (id: string) => Promise<BulkRead | null>) {
  const id = await startBulk(admin, signal);
  if (id === null) return null;
  const given = await read(id);
  if (!given) throw new AdminFailed('unavailable', bulkPoll.name);
  return given;
}

/** What changed while the catalog was being read may have been read before it did. */
async function changedMeanwhile({ job, merchant, signal }: JobTools, since: number, clock: () => number) {
  const jobs = await merchant.shop.jobs.list({ limit: 1000 });
  const changed = jobs.filter(
    ({ kind, state, finishedAt }) => kind === PRODUCT && state === 'done' && finishedAt! >= since,
  );
  for (const { payload } of new Map(changed.map(one => [one.key, one])).values())
    await refreshProduct(merchant, payload as ProductRequest, { signal, now: clock(), run: job.id });
}
