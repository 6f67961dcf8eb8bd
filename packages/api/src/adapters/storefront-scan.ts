import type { SiteScan } from '@compliance/core/pixel';
import { easternDate } from '@compliance/core/tariff';
import {
  ScanFailed,
  type ScanFailedReason,
  type Scanner,
  type ScanRequest,
  type SiteScanner,
  type SiteScanRequest,
  type StorefrontScan,
  TargetBusy,
} from '@compliance/crawler';
import type { PoolCaller } from '@compliance/crawler/pool';
import { ApiError } from '../errors/api-error.ts';
import { fromPoolError } from '../errors/from-pool-error.ts';

/** Scan failure reasons that indicate a problem with the site rather than with the submitted URL. */
const UPSTREAM: readonly ScanFailedReason[] = ['broken_response'];

/**
 * Fetches and scans a storefront page. The scan date is the current date in US Eastern time.
 *
 * @throws ApiError `scan_failed` if no page at the URL can be scanned, `upstream` if the site's server fails, or
 *   `target_busy` if the site was scanned too often
 * @throws ApiError `unavailable` if the scanner is missing, is at capacity, can't reach the egress proxy, or takes too
 *   long
 * @example (await scanStorefront('https://shop.example/', context)).score // 87
 */
export async function scanStorefront(
  url: string,
  { now, scanner, poolCaller }: { now: number; scanner: Scanner | null; poolCaller: () => PoolCaller },
  request: Omit<ScanRequest, 'asOf' | 'caller'> = {},
): Promise<StorefrontScan> {
  if (!scanner) throw new ApiError('unavailable');
  try {
    return await scanner(url, { asOf: easternDate(now), caller: poolCaller(), ...request });
  } catch (error) {
    throw toApiError(error, now);
  }
}

/**
 * Fetches and scans one page of each type from a storefront. The scan date is the current date in US Eastern time.
 *
 * @throws ApiError, as in `scanStorefront`, if the home page can't be scanned; the result includes errors for other
 *   pages
 * @example (await scanSite('https://shop.example/', context)).score_covers // ['home', 'collection']
 */
export async function scanSite(
  url: string,
  { now, siteScanner, poolCaller }: { now: number; siteScanner: SiteScanner | null; poolCaller: () => PoolCaller },
  request: Omit<SiteScanRequest, 'asOf' | 'caller'> = {},
): Promise<SiteScan> {
  if (!siteScanner) throw new ApiError('unavailable');
  try {
    return await siteScanner(url, { asOf: easternDate(now), caller: poolCaller(), ...request });
  } catch (error) {
    throw toApiError(error, now);
  }
}

function toApiError(error: unknown, now: number): unknown {
  if (error instanceof TargetBusy) {
    const seconds = Math.max(1, Math.ceil((error.retryAt - now) / 1000));
    return new ApiError('target_busy', { headers: { 'Retry-After': `${seconds}` } });
  }
  if (!(error instanceof ScanFailed)) return fromPoolError(error);
  const { reason, message, status = 0 } = error;
  if (reason === 'no_egress') return new ApiError('unavailable');
  const code = UPSTREAM.includes(reason) || (reason === 'http_error' && status >= 500) ? 'upstream' : 'scan_failed';
  return new ApiError(code, {
    message,
    detail: { reason },
    headers: code === 'upstream' ? { 'Retry-After': '60' } : {},
  });
}
