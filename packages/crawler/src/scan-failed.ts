const messages = {
  invalid_url: 'The address is not an http or https URL on port 80 or 443 without user name and password.',
  refused_address: 'The address, or one that it led to, is not a public web address. It was not contacted.',
  unreachable: 'No web server could be reached at the address.',
  tls: 'The server has no valid certificate for the address.',
  timed_out: 'The server did not answer in time.',
  too_many_redirects: 'The address redirects in a circle or too many times.',
  robots: "The site's robots.txt asks automatic visitors to keep out of this page, or could not be read.",
  blocked: 'The site turned the scanner away (bot protection, sign-in or rate limit).',
  http_error: 'The server answered with an error instead of a page.',
  not_html: 'The address does not lead to an HTML page.',
  too_large: 'The response headers are larger than any honest page needs.',
  too_complex: 'The page is too hard to read within the limits of a scan.',
  broken_response: 'The server sent a response that breaks the rules of HTTP or ended before it was complete.',
} as const;

/** Why a page could not be fetched. Stable: v1 prints it as the `reason` of a 422 `scan_failed`. */
export type Reason = keyof typeof messages;

/**
 * The one error of this package: a page cannot be scanned, and why.
 *
 * It tells the caller nothing that they could not see from outside: no resolved address, no text of the page, no stack.
 *
 * @example
 * try { await fetchCapture('http://169.254.169.254/', options) }
 * catch (error) { if (error instanceof ScanFailed) error.reason } // 'refused_address'
 */
export class ScanFailed extends Error {
  override readonly name = 'ScanFailed';
  readonly reason: Reason;
  /** HTTP status of the answer that made the scan fail, when there was one. */
  readonly status?: number;

  constructor(reason: Reason, status?: number) {
    super(messages[reason]);
    this.reason = reason;
    if (status !== undefined) this.status = status;
    // A stack names files and may be logged or sent along: the reason is the whole story.
    this.stack = `ScanFailed: ${reason}`;
  }

  toJSON(): { error: 'scan_failed'; reason: Reason; message: string; status?: number } {
    const { reason, message, status } = this;
    return { error: 'scan_failed', reason, message, ...(status === undefined ? {} : { status }) };
  }
}
