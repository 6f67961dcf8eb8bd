import type { ScanFailedReason } from '../scan-failed.ts';
import type { Answer } from './follow.ts';

/**
 * HTTP statuses that sites use to reject visitors: unauthorized, forbidden, proxy authentication required, too many
 * requests, Shopify's 430, and unavailable for legal reasons.
 */
const blockedStatuses = new Set([401, 403, 407, 429, 430, 451]);

/** Returns the reason that a response isn't the requested content, or null if it is. */
export function refusalOf({ status, headers }: Answer): ScanFailedReason | null {
  if (blockedStatuses.has(status) || headers['cf-mitigated'] !== undefined) return 'blocked';
  return status >= 200 && status < 300 ? null : 'http_error';
}
