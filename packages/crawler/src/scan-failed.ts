import { REPORT_TEXTS } from '@compliance/core/pixel';

const messages = {
  invalid_url: REPORT_TEXTS.reason_invalid_url,
  refused_address: REPORT_TEXTS.reason_refused_address,
  unreachable: REPORT_TEXTS.reason_unreachable,
  tls: REPORT_TEXTS.reason_tls,
  timed_out: REPORT_TEXTS.reason_timed_out,
  too_many_redirects: REPORT_TEXTS.reason_too_many_redirects,
  robots: REPORT_TEXTS.reason_robots,
  blocked: REPORT_TEXTS.reason_blocked,
  http_error: REPORT_TEXTS.reason_http_error,
  not_html: REPORT_TEXTS.reason_not_html,
  too_large: REPORT_TEXTS.reason_too_large,
  too_complex: REPORT_TEXTS.reason_too_complex,
  over_limit: REPORT_TEXTS.reason_over_limit,
  target_busy: REPORT_TEXTS.reason_target_busy,
  broken_response: REPORT_TEXTS.reason_broken_response,
  no_egress: REPORT_TEXTS.reason_no_egress,
} as const;

/**
 * Reason for a failed scan. The values are stable, because version 1 of the API returns them as the `reason` of a 422
 * `scan_failed` error.
 */
export type ScanFailedReason = keyof typeof messages;

/** All reasons for a failed scan. */
export const SCAN_FAILED_REASONS = Object.keys(messages) as readonly ScanFailedReason[];

/**
 * Error for a page that can't be scanned, with the reason.
 *
 * The error contains only data that is observable from outside the service, so it doesn't contain a resolved address,
 * page text, or a stack trace.
 *
 * @example
 * try { await fetchCapture('http://169.254.169.254/', options) }
 * catch (error) { if (error instanceof ScanFailed) error.reason } // 'refused_address'
 */
export class ScanFailed extends Error {
  override readonly name = 'ScanFailed';
  readonly reason: ScanFailedReason;
  /** HTTP status of the response that caused the failure, if any. */
  readonly status?: number;

  constructor(reason: ScanFailedReason, status?: number) {
    super(messages[reason]);
    this.reason = reason;
    if (status !== undefined) this.status = status;
    // A stack trace might be logged or sent to a client, so replace it with the reason.
    this.stack = `ScanFailed: ${reason}`;
  }

  toJSON(): { error: 'scan_failed'; reason: ScanFailedReason; message: string; status?: number } {
    const { reason, message, status } = this;
    return { error: 'scan_failed', reason, message, ...(status === undefined ? {} : { status }) };
  }
}

/**
 * Error for a page whose target received too many requests in the last minute from all scans combined.
 *
 * @example catch (error) { if (error instanceof TargetBusy) await retryAfter(error.retryAt) }
 */
export class TargetBusy extends ScanFailed {
  /** Earliest time when a retry can succeed, in milliseconds since the Unix epoch. */
  readonly retryAt: number;

  constructor(retryAt: number) {
    super('target_busy');
    this.retryAt = retryAt;
  }
}
