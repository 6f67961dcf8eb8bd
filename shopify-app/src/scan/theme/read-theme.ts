import { type JobRunner, PoolError, siblingModule } from '@compliance/crawler/pool';
import type { ThemeFile } from '@compliance/store/shop';
import { type Admin, AdminApiError, type AdminFault } from '../../admin/admin.ts';
import { themeFiles } from '../../admin/operations/theme-files.ts';
import { isPlace } from '../model/places.ts';
import type { FileReason, ThemeCoverage } from '../model/types.ts';
import { filePages, type ListedTheme, listTheme } from './list-theme.ts';
import { readThemeFileBody } from './read-theme-file-body.ts';
import type { ScannedFile, scanFile } from './scan-file.ts';

/** Options for reading a theme. */
export interface ThemeOptions {
  readonly admin: Admin;
  readonly scopes: readonly string[];
  readonly jobs: JobRunner;
  /** Shop's primary host. */
  readonly host: string;
  /** Scan date, YYYY-MM-DD. */
  readonly asOf: string;
  readonly signal: AbortSignal;
  readonly report: (done: number, total: number) => void;
}

/** Scanned theme file. */
export interface ScannedThemeFile extends ThemeFile, ScannedFile {}

/** Result of reading the published theme. */
export interface ThemeReading {
  readonly coverage: ThemeCoverage;
  readonly files: readonly ScannedThemeFile[];
  /** Names of all code files in the theme, or null if the theme couldn't be read. */
  readonly names: ReadonlySet<string> | null;
}

/** Maximum total text length of a theme, in characters. A typical theme has a few million characters. */
const MAX_TEXT = 32_000_000;

/** Maximum number of findings per theme. A theme with more findings was most likely designed to slow down scans. */
const MAX_FINDINGS = 20_000;

/** Number of theme files scanned concurrently. Other scans use the same processes. */
const AT_ONCE = 4;

const scanModule = siblingModule(import.meta.url, 'scan-file');

const nothing: ThemeCoverage = { state: 'absent', fault: null, theme: null, files: 0, filesRead: 0, notRead: [] };

/**
 * Reads and scans the published theme's code. If the theme or a file can't be read, returns the reason in the result
 * instead of throwing an error.
 *
 * @throws PoolError `busy` if the pool is full
 */
export async function readTheme(parts: ThemeOptions): Promise<ThemeReading> {
  if (!parts.scopes.includes('read_themes')) return unread({ state: 'no_scope' });
  try {
    // During the read, the merchant might delete the theme and publish another theme.
    for (let attempt = 0; attempt < 2; attempt++) {
      const listed = await listTheme(parts.admin, parts.signal);
      const reading = listed && (await readFiles(listed, parts));
      if (reading) return reading;
    }
    return unread({ state: 'absent' });
  } catch (error) {
    return unread({ state: 'not_read', fault: faultOf(error) });
  }
}

const unread = (coverage: Partial<ThemeCoverage>): ThemeReading => ({
  coverage: { ...nothing, ...coverage },
  files: [],
  names: null,
});

/** Returns the error code from an Admin API error. @throws any error that isn't an AdminApiError */
function faultOf(error: unknown): AdminFault {
  if (error instanceof AdminApiError) return error.fault;
  // The Shopify package throws a response when the token is revoked.
  if (error instanceof Response) return 'revoked';
  throw error;
}

/** Reads a theme's files. @returns the files, or null if the theme no longer exists */
async function readFiles(theme: ListedTheme, parts: ThemeOptions): Promise<ThemeReading | null> {
  const { admin, signal, report } = parts;
  const total = theme.files.length + theme.failed.length;
  const files: ScannedThemeFile[] = [];
  const notRead = new Map<string, FileReason>(theme.failed.map(name => [name, 'failed']));
  let fault: AdminFault | null = null;
  let size = 0;
  let count = 0;
  report(notRead.size, total);
  try {
    for await (const page of filePages(admin, themeFiles, theme.gid, signal)) {
      if (!page) return null;
      for (const { filename } of page.userErrors) notRead.set(filename, 'failed');
      await eachOf(page.nodes, async ({ filename: name, checksumMd5, body }) => {
        signal.throwIfAborted();
        if (!isPlace(name)) return void notRead.set(name, 'failed');
        const read = await readThemeFileBody(body, signal);
        if ('reason' in read) return void notRead.set(name, read.reason);
        size += read.text.length;
        if (size > MAX_TEXT) return void notRead.set(name, 'too_large');
        const scanned = await scanOne(name, read.text, parts);
        count += scanned?.findings.length ?? 0;
        if (!scanned || count > MAX_FINDINGS) return void notRead.set(name, 'too_complex');
        files.push({ name, checksum: checksumMd5 ?? '', ...scanned });
        report(files.length + notRead.size, total);
      });
    }
  } catch (error) {
    fault = faultOf(error);
  }
  const read = new Set(files.map(({ name }) => name));
  for (const { name } of theme.files) if (!read.has(name) && !notRead.has(name)) notRead.set(name, 'failed');
  // Treat a file as read if it failed on one page of results but was returned on another page.
  for (const name of read) notRead.delete(name);
  files.sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    coverage: {
      state: notRead.size === 0 && !fault ? 'read' : files.length > 0 ? 'partial' : 'not_read',
      fault,
      theme: { id: theme.id, name: theme.name },
      files: read.size + notRead.size,
      filesRead: read.size,
      notRead: [...notRead]
        .map(([name, reason]) => ({ name, reason }))
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .slice(0, 20),
    },
    files,
    names: new Set([...theme.files.map(({ name }) => name), ...theme.failed, ...read]),
  };
}

/** Scans one file. @returns the scanned file, or null if the file is too complex */
async function scanOne(name: string, source: string, { jobs, host, asOf }: ThemeOptions): Promise<ScannedFile | null> {
  try {
    return await jobs.run<typeof scanFile>(scanModule, 'scanFile', { name, source, host, asOf });
  } catch (error) {
    if (error instanceof PoolError && error.blamesInput) return null;
    throw error;
  }
}

async function eachOf<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of rest) await work(item);
    }),
  );
}
