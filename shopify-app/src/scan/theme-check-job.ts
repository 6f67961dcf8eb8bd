import type { JobKind } from '../jobs/job.ts';
import { startScan } from './start-scan.ts';
import { listTheme } from './theme/list-theme.ts';

/** The word for the job that looks whether the theme was changed. */
export const THEME_CHECK = 'theme_check';

/** What a `done` job of kind `theme_check` gave. */
export interface ThemeCheckOutcome {
  /** How many files are added, changed or removed since the last scan; null when the theme could not be compared. */
  readonly different: number | null;
}

/**
 * The job that compares the published theme with what was scanned last, by checksums alone, and scans the store when they
 * differ. Shopify tells nobody that a file of a theme was edited.
 */
export const themeCheckJob: JobKind = {
  kind: THEME_CHECK,
  async run({ merchant, signal }): Promise<ThemeCheckOutcome> {
    const record = await merchant.shop.record();
    if (!record?.scopes.includes('read_themes')) return { different: null };
    const theme = await listTheme(merchant.admin, signal);
    if (!theme || theme.failed.length > 0) return { different: null };
    const { added, changed, removed } = await merchant.shop.themeFiles.compare(theme.id, theme.files);
    const different = added.length + changed.length + removed.length;
    if (different > 0) await startScan(merchant, 'schedule');
    return { different };
  },
};
