import type { Capture } from '@compliance/core/pixel';
import type { ScanFailedReason } from './scan-failed.ts';

/**
 * A fetched storefront page. It contains everything that a scan needs, so the scan doesn't fetch anything.
 *
 * All strings are untrusted; escape them for display. `status` is always 200–299, because other responses throw
 * `ScanFailed`. Header names are in lowercase, repeated headers are joined by ", ", and `set-cookie` is omitted. The
 * encoding of `html` comes from the byte order mark, the header, or a meta element, and defaults to UTF-8. `notes`
 * lists everything that the crawler didn't capture.
 */
export interface StorefrontCapture extends Capture {
  readonly notes: readonly CaptureNote[];
}

/**
 * A note about something that the capture doesn't include. An empty list means that the capture is complete.
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
      count: number /** At most ten of the affected URLs. */;
      urls: string[];
    }
  | { code: 'scripts_unlisted'; reason: 'too_hard_to_parse' };

/**
 * Reason why a body was truncated: its own limit, the limit of the whole capture, or a compression ratio that
 * legitimate pages never reach.
 */
export type TruncationReason = 'size' | 'total_size' | 'ratio';

/**
 * Reason why a script wasn't fetched: it's on another site, part of Shopify's platform, a Google tag that wasn't
 * requested, or beyond the maximum number of scripts, or the crawler never fetches its URL.
 */
export type SkipReason = 'third_party' | 'platform' | 'tag' | 'over_limit' | 'invalid_url';
