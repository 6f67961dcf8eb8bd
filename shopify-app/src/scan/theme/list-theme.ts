import type { ThemeFile } from '@compliance/store/shop';
import type { Admin } from '../../admin/admin.ts';
import type { AdminOperation } from '../../admin/operations/define-admin-operation.ts';
import { mainTheme } from '../../admin/operations/main-theme.ts';
import {
  type FilesPage,
  type ThemeFilesAnswer,
  type ThemeFilesVariables,
  themeChecksums,
} from '../../admin/operations/theme-files.ts';

/**
 * Filename patterns for theme files that can contain code. Assets are excluded, because page scans read the served
 * assets.
 */
const CODE = ['layout/*', 'sections/*', 'snippets/*', 'blocks/*', 'templates/*', 'config/settings_data.json'];

/** Published theme and its files. */
export interface ListedTheme {
  /** Global ID of the theme. */
  readonly gid: string;
  /** Numeric part of the global ID, as used in admin URLs. */
  readonly id: string;
  readonly name: string;
  /** Files that can contain code, as returned by Shopify. */
  readonly files: readonly ThemeFile[];
  /** Names of files that Shopify couldn't list. */
  readonly failed: readonly string[];
}

/**
 * Lists the files in the published theme with their checksums but without their text.
 *
 * @returns the theme, or null if the store has no published theme or if the theme was deleted during the read
 * @throws AdminApiError if an Admin API call fails
 */
export async function listTheme(admin: Admin, signal: AbortSignal): Promise<ListedTheme | null> {
  const [main] = (await admin.run(mainTheme, {}, { signal })).themes.nodes;
  if (!main) return null;
  const files: ThemeFile[] = [];
  const failed: string[] = [];
  for await (const page of filePages(admin, themeChecksums, main.id, signal)) {
    if (!page) return null;
    for (const { filename, checksumMd5 } of page.nodes) files.push({ name: filename, checksum: checksumMd5 ?? '' });
    failed.push(...page.userErrors.map(({ filename }) => filename));
  }
  return { gid: main.id, id: main.id.slice(main.id.lastIndexOf('/') + 1), name: main.name, files, failed };
}

/**
 * Iterates over a theme's code files, one page at a time.
 *
 * @returns pages of files, or null instead of a page if the theme no longer exists
 * @throws AdminApiError if an Admin API call fails
 */
export async function* filePages<File>(
  admin: Admin,
  operation: AdminOperation<ThemeFilesAnswer<File>, ThemeFilesVariables>,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<FilesPage<File> | null> {
  let after: string | null = null;
  for (;;) {
    const answer: ThemeFilesAnswer<File> = await admin.run(operation, { id, filenames: CODE, after }, { signal });
    const page = answer.theme?.files ?? null;
    yield page;
    if (!page?.pageInfo.hasNextPage || page.pageInfo.endCursor === after) return;
    after = page.pageInfo.endCursor;
  }
}
