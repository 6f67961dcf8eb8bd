const messages = {
  invalid_url: 'The URL must use HTTP or HTTPS on port 80 or 443 and must not contain a username or password.',
  refused_address: 'The URL or one of its redirects does not lead to a public web server. No connection was made.',
  unreachable: 'The web server could not be reached.',
  tls: 'The server does not have a valid certificate for this domain.',
  timed_out: 'The server did not respond in time.',
  too_many_redirects: 'The URL redirects in a loop or too many times.',
  robots: "The site's robots.txt does not allow automated visits to this page, or could not be read.",
  blocked: 'The site blocked the scanner (bot protection, sign-in, or rate limit).',
  http_error: 'The server responded with an error instead of a page.',
  not_html: 'The URL does not return an HTML page.',
  too_large: 'The response headers exceed the size limit.',
  too_complex: 'The page is too complex to scan.',
  over_limit: 'The scan reached its request or time limit.',
  target_busy: 'This site was scanned too often in the last minute. Try again later.',
  broken_response: 'The server sent an invalid or incomplete HTTP response.',
  no_egress: 'The service could not connect to the internet.',
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
    // A stack trace might be logged or sent to a client, so replace its filenames with the reason.
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
  /** Earliest time when a retry can succeed, in ms since the Unix epoch. */
  readonly retryAt: number;

  constructor(retryAt: number) {
    super('target_busy');
    this.retryAt = retryAt;
  }
}
