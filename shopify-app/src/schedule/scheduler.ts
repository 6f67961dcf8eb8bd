import { DATASET, type Dataset } from '@compliance/core/tariff';
import { StoreError } from '@compliance/store';
import type { ShopRecord, ShopStore } from '@compliance/store/shop';
import type { Logger } from 'pino';
import { type Billing, isPaused } from '../billing/plan.ts';
import { PLAN_CHECK } from '../billing/plan-job.ts';
import { CATALOG_NIGHT } from '../catalog/model/job-types.ts';
import { enqueueRecheckIfOutdated } from '../catalog/recheck-job.ts';
import { CERTIFICATE_CHECK } from '../certificates/check-job.ts';
import { NIGHT, nextDailyRun } from '../lib/daily-window.ts';
import { RENDER, wantsRendering } from '../scan/model/rendering.ts';
import type { ScanJobRequest } from '../scan/model/types.ts';
import { SCAN } from '../scan/scan-job.ts';
import { THEME_CHECK } from '../scan/theme-check-job.ts';
import { RETENTION } from './retention-job.ts';

const MINUTE_MS = 60_000;

/** Interval, in minutes, at which the scheduler enqueues nightly jobs for all shops. */
const NIGHTLY_INTERVAL = 60;

/** Number of shops per batch. */
const BATCH = 100;

/** Scheduler dependencies, apart from the store. */
export interface SchedulerDeps {
  readonly clock: () => number;
  readonly log?: Logger | undefined;
  /** Returns the tariff data set in use. The default is the bundled data set. */
  readonly dataset?: () => Dataset;
  /** Whether the app can open storefronts in a browser. Defaults to false. */
  readonly canRender?: boolean;
  /** Billing settings, or null (the default) if billing is off. */
  readonly billing?: Billing | null;
}

/**
 * Starts a scheduler that enqueues due jobs. The scheduler checks for due scans every minute. The theme check, the
 * browser check, the certificate check, the catalog read, and the deletion of old data run in each shop's own nightly
 * window. Stored codes are looked up again as soon as the tariff lists change. Every process can run a scheduler. If
 * billing is on, each shop's plan is checked every night. The theme check, the browser check, and the catalog read are
 * paused for shops without a plan.
 *
 * @example
 * const scheduler = startScheduler(store, { clock: Date.now });
 * scheduler.stop();
 */
export function startScheduler(
  store: ShopStore,
  { clock, log, dataset: currentDataset = () => DATASET, canRender = false, billing = null }: SchedulerDeps,
): { stop(): void } {
  let minute = 0;
  let enqueuedFor = '';
  const tick = async () => {
    try {
      await enqueueScans(store);
      const dataset = currentDataset();
      if (minute++ % NIGHTLY_INTERVAL === 0 || dataset.version !== enqueuedFor) {
        await enqueueNightly(store, clock(), { dataset, canRender, billing });
        enqueuedFor = dataset.version;
      }
    } catch (error) {
      log?.error({ failure: error instanceof Error ? error.name : typeof error }, 'scheduler');
    }
  };
  void tick();
  const timer = setInterval(tick, MINUTE_MS);
  return { stop: () => clearInterval(timer) };
}

/**
 * Enqueues the scans that are due. Concurrent calls from several processes are safe, because the store enqueues a
 * shop's scan only once per period. Several processes might each receive part of a batch, so a partial batch doesn't
 * mean that no more scans are due.
 */
export async function enqueueScans(store: ShopStore): Promise<void> {
  const payload: ScanJobRequest = { trigger: 'schedule' };
  while ((await store.shops.enqueueDue({ kind: SCAN, payload }, BATCH)).length > 0);
}

/** Options for {@link enqueueNightly}, as in {@link SchedulerDeps}. */
interface NightlyOptions extends Pick<SchedulerDeps, 'canRender' | 'billing'> {
  /** The tariff data set in use. */
  readonly dataset?: Dataset;
}

/**
 * Enqueues each shop's nightly jobs for the shop's next nightly window. Concurrent calls from several processes are
 * safe, because each shop can have only one queued or running job of each type, and every process computes the same run
 * time.
 */
export async function enqueueNightly(
  store: ShopStore,
  now: number,
  { dataset = DATASET, canRender = false, billing = null }: NightlyOptions = {},
): Promise<void> {
  let after: string | undefined;
  do {
    const shops = await store.shops.list({ limit: BATCH, after });
    for (const record of shops) await enqueueFor(store, record, now, { dataset, canRender, billing });
    after = shops.length === BATCH ? shops.at(-1)!.shop : undefined;
  } while (after !== undefined);
}

async function enqueueFor(
  store: ShopStore,
  record: ShopRecord,
  now: number,
  { dataset, canRender, billing }: Required<NightlyOptions>,
): Promise<void> {
  const { jobs } = store.shop(record.shop);
  const runAt = nextDailyRun(now, record.shop, record.timeZone, NIGHT);
  const paused = isPaused(record, billing);
  const hasThemeAccess = record.needsReopeningAt === null && record.scopes.includes('read_themes');
  try {
    if (billing !== null && record.needsReopeningAt === null) await jobs.enqueue({ kind: PLAN_CHECK, runAt });
    if (hasThemeAccess && !paused) await jobs.enqueue({ kind: THEME_CHECK, runAt });
    if (canRender && wantsRendering(record) && !paused) await jobs.enqueue({ kind: RENDER, runAt });
    await jobs.enqueue({ kind: RETENTION, runAt });
    await jobs.enqueue({ kind: CERTIFICATE_CHECK, runAt });
    if (record.needsReopeningAt === null && !paused) await jobs.enqueue({ kind: CATALOG_NIGHT, runAt });
    await enqueueRecheckIfOutdated(store.shop(record.shop), now, dataset);
  } catch (error) {
    // Ignore the error if the app was uninstalled or the shop's data was deleted after the scheduler listed the shops.
    if (error instanceof StoreError && (error.code === 'shop_uninstalled' || error.code === 'shop_unknown')) return;
    throw error;
  }
}
