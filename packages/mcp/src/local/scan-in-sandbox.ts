import type { Capture } from '@compliance/core/pixel';
import { OperationError } from '../operations.ts';
import { type PageScanOptions, scanInProcess } from './perform-locally.ts';

const LIMITS = { workers: 1, timeoutMs: 30_000, memoryMb: 512, queue: 100 };

/**
 * Fetches and scans a page with the SSRF-hardened crawler, if the crawler is installed.
 *
 * @param contact HTTPS or mailto URL to include in the user agent
 * @throws OperationError if the page can't be scanned or the crawler isn't installed
 */
export async function scanUrl(url: string, options: PageScanOptions, contact: string): Promise<unknown> {
  const crawler = await installedCrawler();
  if (crawler) return await scanWith(crawler, crawler.fetchCapture, { url, options, contact });
  throw new OperationError({
    error: 'unavailable',
    message:
      'Fetching pages requires the `@compliance/crawler` package, which is not installed. Pass the page HTML in `html`, or ' +
      'start the server with `npx -p @compliance/mcp -p @compliance/crawler compliance-mcp`.',
  });
}

/**
 * Scans a captured page without fetching anything. Uses a sandboxed worker process if the crawler is installed, or the
 * current process otherwise.
 *
 * @throws OperationError if the page is too complex
 */
export async function scanSandboxed(capture: Capture, options: PageScanOptions, contact: string): Promise<unknown> {
  const crawler = await installedCrawler();
  if (!crawler) return scanInProcess(capture, options);
  const fetchNothing = async () => ({ ...capture, notes: [] }) as never;
  return await scanWith(crawler, fetchNothing, { url: capture.url, options, contact });
}

type Crawler = typeof import('@compliance/crawler');

/** Scans a page in a worker process that exits after the scan. */
async function scanWith(
  { createScanner, ScanFailed }: Crawler,
  fetchCapture: Crawler['fetchCapture'],
  { url, options, contact }: { url: string; options: PageScanOptions; contact: string },
): Promise<unknown> {
  const { createPool } = await import('@compliance/crawler/pool');
  const pool = createPool(LIMITS);
  try {
    return await createScanner(fetchCapture, { contact, pool })(url, options);
  } catch (error) {
    if (!(error instanceof ScanFailed)) throw error;
    const { reason, message } = error;
    throw new OperationError({ error: reason === 'target_busy' ? 'target_busy' : 'scan_failed', reason, message });
  } finally {
    await pool.close();
  }
}

async function installedCrawler(): Promise<Crawler | null> {
  try {
    return await import('@compliance/crawler');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  }
}
