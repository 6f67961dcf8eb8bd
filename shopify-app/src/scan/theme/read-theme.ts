import { beside, type Pool, PoolError } from '@compliance/crawler/pool';
import type { ThemeFile } from '@compliance/store';
import { type Admin, AdminFailed, type AdminFault } from '../../admin/admin.ts';
import { themeFiles } from '../../admin/operations/theme-files.ts';
import { isPlace } from '../places.ts';
import type { FileReason, ThemeCoverage } from '../types.ts';
import { filePages, type ListedTheme, listTheme } from './list-theme.ts';
import { readBody } from './read-body.ts';
import type { ScannedFile, scanFile } from './scan-file.ts';

/** What a theme is read with. */
export interface ThemeParts {
  readonly admin: Admin;
  readonly scopes: readonly string[];
  readonly pool: Pool;
  /** The shop's primary host. */
  readonly host: string;
  /** YYYY-MM-DD */
  readonly asOf: string;
  readonly signal: AbortSignal;
  readonly report: (done: number, total: number) => void;
}

/** A file of the theme that was read and scanned. */
export interface ReadFile extends ThemeFile, ScannedFile {}

/** The published theme as it was read. */
export interface ThemeReading {
  readonly coverage: ThemeCoverage;
  readonly files: readonly ReadFile[];
  /** The names of all files that the theme has; null when they were not listed in full. */
  readonly names: ReadonlySet<string> | null;
}

/** Memory that the text of one theme may take, in characters. Themes have a few million. */
const MOST_TEXT = 32_000_000;

/** Findings of one theme. A theme that has more is made to be slow. */
const MOST_FINDINGS = 20_000;

/** Files of one theme that are scanned at once: others wait for the same processes. */
const AT_ONCE = 4;

const scanModule = beside(import.meta.url, 'scan-file');

const nothing: ThemeCoverage = { state: 'absent', fault: null, theme: null, files: 0, filesRead: 0, notRead: [] };

/**
 * Reads and scans the code of the published theme. What keeps it, or a file of it, from being read is a state of the reading,
 * never an error.
 *
 * @throws PoolError `busy` when there is no room to scan a file
 */
export async function readTheme(parts: ThemeParts): Promise<ThemeReading> {
  if (!parts.scopes.includes('read_themes')) return unread({ state: 'no_scope' });
  try {
    // Another theme may be published, and this one deleted, while it is read.
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

/** @throws the error itself when it is none of Shopify's */
function faultOf(error: unknown): AdminFault {
  if (error instanceof AdminFailed) return error.fault;
  // Shopify's package answers for a token that is worth nothing any more.
  if (error instanceof Response) return 'revoked';
  throw error;
}

/** @returns null when the theme is gone */
async function readFiles(theme: ListedTheme, parts: ThemeParts): Promise<ThemeReading | null> {
  const { admin, signal, report } = parts;
  const total = theme.files.length + theme.failed.length;
  const files: ReadFile[] = [];
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
        const read = await readBody(body, signal);
        if ('reason' in read) return void notRead.set(name, read.reason);
        size += read.text.length;
        if (size > MOST_TEXT) return void notRead.set(name, 'too_large');
        const scanned = await scanOne(name, read.text, parts);
        count += scanned?.findings.length ?? 0;
        if (!scanned || count > MOST_FINDINGS) return void notRead.set(name, 'too_complex');
        files.push({ name, checksum: checksumMd5 ?? '', ...scanned });
        report(files.length + notRead.size, total);
      });
    }
  } catch (error) {
    fault = faultOf(error);
  }
  const read = new Set(files.map(({ name }) => name));
  for (const { name } of theme.files) if (!read.has(name) && !notRead.has(name)) notRead.set(name, 'failed');
  // A file that could not be read at first and was given on another page was read.
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

/** @returns null when the file is too hard to read */
async function scanOne(name: string, source: string, { pool, host, asOf }: ThemeParts): Promise<ScannedFile | null> {
  try {
    return await pool.run<typeof scanFile>(scanModule, 'scanFile', { name, source, host, asOf });
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
