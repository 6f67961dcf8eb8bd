import { REPORT_TEXTS } from '@compliance/core/pixel';

const messages = {
  not_found: REPORT_TEXTS.reason_not_found,
  password: REPORT_TEXTS.reason_password,
  redirected: REPORT_TEXTS.reason_redirected,
  not_confirmed: REPORT_TEXTS.reason_not_confirmed,
} as const;

/**
 * Error for a page that a site scan skips. If a page can't be fetched or scanned, the error is `ScanFailed` instead.
 * `reason` is a stable code.
 */
export class PageSkipped extends Error {
  override readonly name = 'PageSkipped';
  readonly reason: keyof typeof messages;

  constructor(reason: keyof typeof messages) {
    super(messages[reason]);
    this.reason = reason;
  }
}
