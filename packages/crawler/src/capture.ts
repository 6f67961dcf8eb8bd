import type { Capture } from '@compliance/core/pixel';
import type { ScanFailedReason } from './scan-failed.ts';

/**
 * A fetched storefront page with everything that a scan needs, so that the scan doesn't have to fetch anything else.
 *
 * All strings are untrusted, so escape them for display. `status` is always 200–299, because the crawler throws
 * `ScanFailed` for any other status. Header names are in lowercase, repeated headers are joined by ", ", and
 * `set-cookie` is omitted. The page's encoding is determined by its byte order mark, `Content-Type` header, or meta
 * element, and defaults to UTF-8. `notes` lists the parts of the page and the scripts that the crawler didn't capture.
 */
export interface StorefrontCapture extends Capture {
  readonly notes: readonly CaptureNote[];
}

/**
 * A note about content that the capture doesn't include. If the list of notes is empty, the capture is complete.
 *
 * @example { code: 'script_not_read', reason: 'timed_out', url: 'https://shop.example/cdn/shop/t/1/assets/theme.js' }
 */
export type CaptureNote =
  | { code: 'page_truncated'; reason: TruncationReason }
  | { code: 'script_truncated'; reason: TruncationReason; url: string }
  | { code: 'script_not_read'; reason: ScanFailedReason | 'not_script'; url: string }
  | {
      code: 'scripts_left_out';
      reason: SkipReason;
      count: number;
      /** Up to ten of the affected URLs. */
      urls: string[];
    }
  | { code: 'scripts_unlisted'; reason: 'too_hard_to_parse' };

/**
 * Reason for truncating a body: the body's own size limit, the capture's total size limit, or a compression ratio
 * higher than that of any legitimate page.
 */
export type TruncationReason = 'size' | 'total_size' | 'ratio';

/**
 * Reason for skipping a script: another site, Shopify platform code, a Google tag (if the caller turned off Google
 * tags), too many scripts, or a URL that the crawler never fetches.
 */
export type SkipReason = 'third_party' | 'platform' | 'tag' | 'over_limit' | 'invalid_url';
