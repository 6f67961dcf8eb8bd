import type { JobHandler } from '../jobs/job.ts';
import { startScan } from './start-scan.ts';
import { compareTheme } from './theme/compare-theme.ts';

/** Type of the job that checks the theme for changes. */
export const THEME_CHECK = 'theme_check';

/** Result of a `theme_check` job in the `done` state. */
export interface ThemeCheckOutcome {
  /** Number of files added, changed, or removed since the last scan, or null if the theme couldn't be compared. */
  readonly different: number | null;
}

/**
 * Job that compares the published theme's files with the checksums from the last scan, and scans the store if any file
 * was added, changed, or removed. This check is necessary because Shopify doesn't send a webhook when someone edits a
 * theme file.
 */
export const themeCheckJob: JobHandler = {
  kind: THEME_CHECK,
  async run({ merchant, signal }): Promise<ThemeCheckOutcome> {
    const difference = await compareTheme(merchant, signal);
    if (!difference) return { different: null };
    const different = difference.count;
    if (different > 0) await startScan(merchant, 'schedule');
    return { different };
  },
};
