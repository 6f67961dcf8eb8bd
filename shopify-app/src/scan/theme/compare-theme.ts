import { createHash } from 'node:crypto';
import type { Merchant } from '../../admin/merchant.ts';
import { listTheme } from './list-theme.ts';

/** Difference between the published theme and the theme as of the last scan. */
export interface ThemeDifference {
  /** Number of files that were added, changed, or removed. */
  readonly count: number;
  /** Hash of the theme's filenames and checksums. The hash changes whenever a file changes. */
  readonly version: string;
}

/**
 * Compares the published theme's files with the checksums from the last scan, without reading the files.
 *
 * @returns the difference, or null if the theme couldn't be compared
 * @throws AdminApiError if an Admin API call fails
 */
export async function compareTheme(merchant: Merchant, signal: AbortSignal): Promise<ThemeDifference | null> {
  const record = await merchant.shop.record();
  if (!record?.scopes.includes('read_themes')) return null;
  const theme = await listTheme(merchant.admin, signal);
  if (!theme || theme.failed.length > 0) return null;
  const { added, changed, removed } = await merchant.shop.themeFiles.compare(theme.id, theme.files);
  const files = theme.files.map(({ name, checksum }) => `${name} ${checksum}`).sort();
  return {
    count: added.length + changed.length + removed.length,
    version: createHash('sha256')
      .update([theme.id, ...files].join('\n'))
      .digest('hex'),
  };
}
