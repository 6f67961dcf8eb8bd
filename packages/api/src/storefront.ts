import { easternDate } from '@compliance/core/tariff';
import { type Reason, ScanFailed, type Scanner, type ScanRequest, type StorefrontScan } from '@compliance/crawler';
import { PoolError } from '@compliance/crawler/pool';
import { ApiError } from './errors.ts';

/** Failures of the other side, by which the caller's address is not at fault. */
const UPSTREAM: readonly Reason[] = ['broken_response'];

/**
 * Fetches a storefront page and scans it as of today, US Eastern time.
 *
 * @throws ApiError `scan_failed` when there is no page to scan at the address, `upstream` when its server failed, `unavailable`
 *   without a scanner or without room
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
    throw apiError(error);
  }
}

function apiError(error: unknown): unknown {
  if (error instanceof PoolError && error.reason === 'busy') {
    return new ApiError('unavailable', { headers: { 'Retry-After': '5' } });
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
