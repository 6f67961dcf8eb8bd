import { type ShopRecord, type Store, StoreError } from '@compliance/store';
import type { Logger } from 'pino';
import { recheckWhenListsAreNew } from '../catalog/recheck-job.ts';
import { CATALOG_NIGHT } from '../catalog/words.ts';
import { SCAN } from '../scan/scan-job.ts';
import { THEME_CHECK } from '../scan/theme-check-job.ts';
import type { ScanRequest } from '../scan/types.ts';
import { nextNight } from './night.ts';
import { RETENTION } from './retention-job.ts';

const MINUTE_MS = 60_000;

/** How often all shops are gone through for their nightly work, in minutes. */
const ROUND = 60;

/** How many shops are taken at once. */
const BATCH = 100;

/** What the scheduler works with besides the store. */
export interface SchedulerParts {
  readonly clock: () => number;
  readonly log?: Logger | undefined;
}

/**
 * Enqueues what is due: scans as merchants chose, every minute; the nightly look at the theme and the removal of what is old,
 * each shop in its own night. Every process may run one.
 *
 * @example
 * const scheduler = startScheduler(store, { clock: Date.now });
 * scheduler.stop();
 */
export function startScheduler(store: Store, { clock, log }: SchedulerParts): { stop(): void } {
  let minute = 0;
  const tick = async () => {
    try {
      await enqueueScans(store);
      if (minute++ % ROUND === 0) await enqueueNightly(store, clock());
    } catch (error) {
      log?.error({ failure: error instanceof Error ? error.name : typeof error }, 'scheduler');
    }
  };
  void tick();
  const timer = setInterval(tick, MINUTE_MS);
  return { stop: () => clearInterval(timer) };
}

/** Enqueues the scans that are due. Exact across processes: the store takes each shop once a period. */
export async function enqueueScans(store: Store): Promise<void> {
  const payload: ScanRequest = { trigger: 'schedule' };
  while ((await store.shops.enqueueDue({ kind: SCAN, payload }, BATCH)).length === BATCH);
}

/**
 * Sees to it that each shop's nightly work waits for its night. Exact across processes: there is one live job of a kind, and
 * whoever asks before its night asks for the same time.
 */
export async function enqueueNightly(store: Store, now: number): Promise<void> {
  let after: string | undefined;
  do {
    const shops = await store.shops.list({ limit: BATCH, after });
    for (const record of shops) await enqueueFor(store, record, now);
    after = shops.length === BATCH ? shops.at(-1)!.shop : undefined;
  } while (after !== undefined);
}

async function enqueueFor(store: Store, record: ShopRecord, now: number): Promise<void> {
  const { jobs } = store.shop(record.shop);
  const runAt = nextNight(now, record.shop, record.timeZone);
  const watches = record.needsReopeningAt === null && record.scopes.includes('read_themes');
  try {
    if (watches) await jobs.enqueue({ kind: THEME_CHECK, runAt });
    await jobs.enqueue({ kind: RETENTION, runAt });
    if (record.needsReopeningAt === null) await jobs.enqueue({ kind: CATALOG_NIGHT, runAt });
    await recheckWhenListsAreNew(store.shop(record.shop), now);
  } catch (error) {
    // It was removed, or its data was, since the list was made.
    if (error instanceof StoreError && (error.code === 'shop_uninstalled' || error.code === 'shop_unknown')) return;
    throw error;
  }
}
