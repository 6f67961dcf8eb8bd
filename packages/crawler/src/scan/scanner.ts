import type { DriftResult, Inventory, Profile, ScanResult } from '@compliance/core/pixel';
import type { Note } from '../capture.ts';
import type { FetchCapture, FetchOptions } from '../crawler.ts';
import { beside, PoolError } from '../pool/index.ts';
import { ScanFailed } from '../scan-failed.ts';
import type { scanCapture } from './scan-capture.ts';

/** What a scan of a storefront is judged by. */
export interface ScanRequest {
  /** The date of the judgement, YYYY-MM-DD. */
  asOf: string;
  profile?: Profile;
  /** An inventory of an earlier scan of the same page, to say what changed since. */
  baseline?: Inventory;
}

/** What a scan of a storefront says: the scan, the drift from the baseline (null without one), and what was not read. */
export interface StorefrontScan extends ScanResult {
  readonly score: number;
  readonly drift: DriftResult | null;
  readonly notes: readonly Note[];
}

/**
 * Fetches one storefront page and scans it.
 *
 * @throws ScanFailed when there is no page to scan, or none that can be judged
 * @throws PoolError `busy` when there is no room
 */
export type Scanner = (url: string, request: ScanRequest) => Promise<StorefrontScan>;

const scanModule = beside(import.meta.url, 'scan-capture');

/**
 * Makes a scanner of a way to fetch and a pool to read in.
 *
 * @example
 * const scanner = createScanner(fetchCapture, { contact: 'https://scanner.example/about', pool });
 * (await scanner('https://shop.example', { asOf: '2026-11-21' })).score // 87
 */
export function createScanner(fetchCapture: FetchCapture, options: FetchOptions): Scanner {
  return async (url, request) => {
    const capture = await fetchCapture(url, options);
    const { result, drift } = await options.pool
      .run<typeof scanCapture>(scanModule, 'scanCapture', { capture, ...request })
      .catch(error => {
        throw error instanceof PoolError && error.blamesInput ? new ScanFailed('too_complex') : error;
      });
    // A challenge or an empty page can come with status 200; a score of it would mean nothing.
    if (result.score === null) {
      throw new ScanFailed(result.not_scored === 'bot challenge' ? 'blocked' : 'not_html', capture.status);
    }
    return { ...result, score: result.score, drift, notes: capture.notes };
  };
}
