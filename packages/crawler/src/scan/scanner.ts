import type { DriftResult, Inventory, Profile, ScanResult } from '@compliance/core/pixel';
import type { CaptureNote } from '../capture.ts';
import type { FetchCapture } from '../crawler.ts';
import { defaultCrawlLimits } from '../limits.ts';
import { withCpuBudget } from '../pool/index.ts';
import { admitScan, type ScanCaller, type ScannerOptions } from './admit-scan.ts';
import { runScan } from './run-scan.ts';

/** Options for a storefront scan. */
export interface ScanRequest {
  /** Date to evaluate rules for, in YYYY-MM-DD format. */
  asOf: string;
  profile?: Profile;
  /** Inventory from a previous scan of the same page. The new scan reports the changes since then. */
  baseline?: Inventory;
  /** Caller that requests the scan. Defaults to the process owner. */
  caller?: ScanCaller;
}

/**
 * Result of a storefront scan, with the drift from the baseline (null without a baseline) and notes about skipped
 * content.
 */
export interface StorefrontScan extends ScanResult {
  readonly score: number;
  readonly drift: DriftResult | null;
  readonly notes: readonly CaptureNote[];
}

/**
 * Fetches one storefront page and scans it.
 *
 * @throws ScanFailed if the URL doesn't return a page with content
 * @throws PoolError with `busy` if the queue is full, or with `canceled` if the caller disconnected
 */
export type Scanner = (url: string, request: ScanRequest) => Promise<StorefrontScan>;

/**
 * Creates a scanner that fetches pages with `fetchCapture` and parses them in `options.pool`.
 *
 * @example
 * const scanner = createScanner(fetchCapture, { contact: 'https://scanner.example/about', pool });
 * (await scanner('https://shop.example', { asOf: '2026-11-21' })).score // 87
 */
export function createScanner(fetchCapture: FetchCapture, options: ScannerOptions): Scanner {
  return async (url, { caller, ...request }) =>
    await admitScan(options, { url, caller }, async fetchOptions => {
      const pool = withCpuBudget(fetchOptions.pool, options.limits?.cpuMs ?? defaultCrawlLimits.cpuMs);
      const capture = await fetchCapture(url, { ...fetchOptions, pool });
      const { result, drift } = await runScan(pool, { capture, ...request });
      return { ...result, drift, notes: capture.notes };
    });
}
