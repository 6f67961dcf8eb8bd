import { siteOf } from '../address/site.ts';
import type { FetchOptions } from '../crawler.ts';
import { type Pool, type PoolCaller, PoolError } from '../pool/index.ts';
import { ScanFailed } from '../scan-failed.ts';

/** Caller that requests a scan. The scan's target is the site that the URL belongs to. */
export type ScanCaller = Omit<PoolCaller, 'target'>;

/** Options for scanners. */
export type ScannerOptions = Omit<FetchOptions, 'pool'> & {
  /** Pool that admits scans and parses untrusted input. */
  pool: Pool;
};

/**
 * Runs a scan once the pool admits it. The caller's signal applies to the whole scan: waiting, fetching, and parsing.
 *
 * @param scan receives the options for fetching pages, with a pool that runs the caller's jobs
 * @throws ScanFailed with `over_limit` if the caller's deadline passes during the scan
 * @throws PoolError with `busy` if the queue is full, or with `canceled` if the caller disconnected
 */
export async function admitScan<Result>(
  { pool, ...options }: ScannerOptions,
  { url, caller = { lane: 'keyed', tenant: '' } }: { url: string; caller?: ScanCaller | undefined },
  scan: (options: FetchOptions) => Promise<Result>,
): Promise<Result> {
  const signals = [options.signal, caller.signal].filter(signal => signal !== undefined);
  const signal = signals.length > 1 ? AbortSignal.any(signals) : signals[0];
  try {
    return await pool.admit({ ...caller, target: targetOf(url), signal }, jobs =>
      scan({ ...options, pool: jobs, ...(signal && { signal }) }),
    );
  } catch (error) {
    throw error instanceof PoolError && error.reason === 'timed_out' ? new ScanFailed('over_limit') : error;
  }
}

const targetOf = (url: string): string => (URL.canParse(url) ? siteOf(new URL(url)) : '');
