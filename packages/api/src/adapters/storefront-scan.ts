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
import { PoolError } from '@compliance/crawler/pool';
import { ApiError } from '../errors/api-error.ts';

/** Failure reasons caused by the site rather than by the submitted URL. */
const UPSTREAM: readonly ScanFailedReason[] = ['broken_response'];

/**
 * Fetches and scans a storefront page. The default scan date is the current date in US Eastern time.
 *
 * @throws ApiError `scan_failed` if the URL doesn't lead to a page that can be scanned, `upstream` if the site's server fails,
 *   `target_busy` if the site was scanned too often, `unavailable` if the scanner is missing or at capacity
 * @example (await scanStorefront('https://shop.example/', { now: Date.now(), scanner })).score // 87
 */
export async function scanStorefront(
  url: string,
  { now, scanner }: { now: number; scanner: Scanner | null },
  request: Omit<ScanRequest, 'asOf'> = {},
): Promise<StorefrontScan> {
  if (!scanner) throw new ApiError('unavailable');
  try {
    return await scanner(url, { asOf: easternDate(now), ...request });
  } catch (error) {
    throw toApiError(error, now);
  }
}

/**
 * Fetches and scans one page of each type from a storefront. The scan date is the current date in US Eastern time.
 *
 * @throws ApiError for the home page, like `scanStorefront`; other pages that can't be scanned are part of the result
 * @example (await scanSite('https://shop.example/', { now: Date.now(), siteScanner })).score_covers // ['home', 'collection']
 */
export async function scanSite(
  url: string,
  { now, siteScanner }: { now: number; siteScanner: SiteScanner | null },
  request: Omit<SiteScanRequest, 'asOf'> = {},
): Promise<SiteScan> {
  if (!siteScanner) throw new ApiError('unavailable');
  try {
    return await siteScanner(url, { asOf: easternDate(now), ...request });
  } catch (error) {
    throw toApiError(error, now);
  }
}

function toApiError(error: unknown, now: number): unknown {
  if (error instanceof PoolError && error.reason === 'busy') {
    return new ApiError('unavailable', { headers: { 'Retry-After': '5' } });
  }
  if (error instanceof TargetBusy) {
    const seconds = Math.max(1, Math.ceil((error.retryAt - now) / 1000));
    return new ApiError('target_busy', { headers: { 'Retry-After': `${seconds}` } });
  }
  if (!(error instanceof ScanFailed)) return error;
  const { reason, message, status = 0 } = error;
  const code = UPSTREAM.includes(reason) || (reason === 'http_error' && status >= 500) ? 'upstream' : 'scan_failed';
  return new ApiError(code, {
    message,
    detail: { reason },
    headers: code === 'upstream' ? { 'Retry-After': '60' } : {},
  });
}
