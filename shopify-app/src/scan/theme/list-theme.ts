import type { ThemeFile } from '@compliance/store';
import type { Admin, Operation } from '../../admin/admin.ts';
import { mainTheme } from '../../admin/operations/main-theme.ts';
import {
  type FilesPage,
  type ThemeFilesAnswer,
  type ThemeFilesVariables,
  themeChecksums,
} from '../../admin/operations/theme-files.ts';

/** Files of a theme that may hold code. Its assets are scripts, which the pages show as they are served. */
const CODE = ['layout/*', 'sections/*', 'snippets/*', 'blocks/*', 'templates/*', 'config/settings_data.json'];

/** The published theme and its files. */
export interface ListedTheme {
  /** Shopify's global id. */
  readonly gid: string;
  /** The number in it, as it stands in addresses of the admin. */
  readonly id: string;
  readonly name: string;
  /** Files that may hold code, as far as Shopify names them. */
  readonly files: readonly ThemeFile[];
  /** Files that Shopify could not even list. */
  readonly failed: readonly string[];
}

/**
 * Lists the published theme: its files and their checksums, without their text.
 *
 * @returns null when there is no published theme, or it went while it was listed
 * @throws AdminFailed
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
 * Asks for the code of a theme, a page at a time.
 *
 * @returns null in the place of a page when the theme is gone
 * @throws AdminFailed
 */
export async function* filePages<File>(
  admin: Admin,
  operation: Operation<ThemeFilesAnswer<File>, ThemeFilesVariables>,
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
