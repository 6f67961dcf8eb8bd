import { type Job, waitUntil } from '@compliance/store/jobs';
import type { Merchant } from '../admin/merchant.ts';
import type { JobHandler } from '../jobs/job.ts';
import type { ScanJobRequest } from './model/types.ts';
import { SCAN } from './scan-job.ts';
import { compareTheme } from './theme/compare-theme.ts';

/** Type of the job that watches the theme while the merchant edits it. */
export const THEME_WATCH = 'theme_watch';

/** Duration of the theme watch, in milliseconds. */
const WATCH_MS = 30 * 60_000;

/** Interval between comparisons, in milliseconds. */
const INTERVAL_MS = 15_000;

/** Delay before a scan, in milliseconds, so that saving several files in quick succession triggers only one scan. */
const DEBOUNCE_MS = 3_000;

/** Progress of a `theme_watch` job. */
interface WatchProgress {
  /** Time when the job stops watching, in milliseconds since the Unix epoch. */
  readonly until: number;
  /** Theme version for which the job last enqueued a scan, or null. */
  readonly scanned: string | null;
}

/**
 * Watches the published theme for half an hour, or compares the theme immediately if the app is already watching it.
 * Shopify doesn't send a webhook when someone saves a theme file, so the app watches the theme while the merchant
 * applies a fix.
 *
 * @throws StoreError `shop_unknown` or `shop_uninstalled` if the app isn't installed in the shop
 */
export async function watchTheme({ shop }: Merchant): Promise<void> {
  await shop.jobs.enqueue({ kind: THEME_WATCH, whileRunning: 'again' });
}

/** Returns whether a `theme_watch` job is watching the theme. */
export const isWatching = (job: Job | null): boolean => job?.state === 'queued' || job?.state === 'running';

/**
 * Creates the job that scans the store each time a file in the published theme changes. Between comparisons, the job
 * waits without occupying a slot.
 */
export const themeWatchJob = (clock: () => number): JobHandler => ({
  kind: THEME_WATCH,
  async run({ job, merchant, signal, report }) {
    const { until, scanned } = (job.progress as WatchProgress | null) ?? { until: clock() + WATCH_MS, scanned: null };
    const difference = await compareTheme(merchant, signal);
    if (!difference) return null;
    // If a scan can't read the whole theme, it doesn't store the new checksums, so the next comparison finds the same
    // difference. A scan in progress might still detect the change. If that scan misses the change, the next comparison
    // finds the change again.
    const isNew =
      difference.count > 0 &&
      difference.version !== scanned &&
      (await merchant.shop.jobs.latest(SCAN))?.state !== 'running';
    if (isNew) {
      const payload: ScanJobRequest = { trigger: 'schedule', isAwaited: true };
      await merchant.shop.jobs.enqueue({ kind: SCAN, payload, runAt: clock() + DEBOUNCE_MS, whileRunning: 'again' });
    }
    report({ until, scanned: isNew ? difference.version : scanned } satisfies WatchProgress);
    const next = clock() + INTERVAL_MS;
    return next < until ? waitUntil(next) : null;
  },
});
