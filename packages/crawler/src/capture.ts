import type { Capture as PageCapture } from '@compliance/core/pixel';
import type { Reason } from './scan-failed.ts';

/**
 * One storefront page as it was fetched: everything a scan may look at, and nothing that it has to fetch.
 *
 * Every string in it came from a stranger. Escape it where it is shown. `status` is always 200–299: other answers are a
 * `ScanFailed`. Header names are in lower case, repeated ones joined by ", ", `set-cookie` left out. `html` is decoded by byte
 * order mark, header, meta element, else UTF-8. What was not read is in `notes`.
 */
export interface Capture extends PageCapture {
  readonly notes: readonly Note[];
}

/**
 * Something that the capture does not hold. An empty list means that everything wanted was read.
 *
 * @example { code: 'script_not_read', reason: 'timed_out', url: 'https://shop.example/cdn/shop/t/1/assets/theme.js' }
 */
export type Note =
  | { code: 'page_truncated'; reason: Cut }
  | { code: 'script_truncated'; reason: Cut; url: string }
  | { code: 'script_not_read'; reason: Reason | 'not_script'; url: string }
  | { code: 'scripts_left_out'; reason: LeftOut; count: number /** The first ten, or none. */; urls: string[] }
  | { code: 'scripts_unlisted'; reason: 'too_hard_to_parse' };

/** Why a body was cut: its own limit, the limit of the whole capture, or a compression ratio no honest page has. */
export type Cut = 'size' | 'total_size' | 'ratio';

/**
 * Why a script was not asked for: not the shop's own, part of the platform, a Google tag that the caller did not ask
 * for, past the number of scripts that one capture reads, or at an address that is never fetched.
 */
export type LeftOut = 'third_party' | 'platform' | 'tag' | 'over_limit' | 'invalid_url';
