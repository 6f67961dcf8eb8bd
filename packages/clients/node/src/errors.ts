import type { RateLimitWindow } from './limits.ts';
import type { ErrorCode, ErrorReason, HtsLookupResponse, IssueCode, Open } from './models.gen.ts';

/**
 * Invalid request field: its dotted path (`codes.3`), a stable error code, and a message that explains how to fix the
 * field.
 */
export interface Issue {
  path: string;
  code: Open<IssueCode>;
  message: string;
}

/**
 * Base class of all errors that calls throw, except `TypeError` for invalid arguments and the abort reason of an
 * aborted signal. Each subclass represents one kind of error. No error contains the API key.
 *
 * @example
 * try { await client.tariff.hts.lookup(codes) }
 * catch (error) { if (error instanceof RateLimitError) console.log(error.retryAfter) }
 */
export class ComplianceError extends Error {
  /** HTTP status, or undefined if there was no response. */
  readonly status: number | undefined;
  /**
   * Stable error code from the service, such as `invalid_request`. Switch on this code or on the class, not on the
   * message.
   */
  readonly code: Open<ErrorCode> | undefined;
  /** Reason that a page can't be scanned, such as `robots`. Set only for the `scan_failed` and `upstream` codes. */
  readonly reason: Open<ErrorReason> | undefined;
  /** Request ID to include when you contact the service operator. */
  readonly requestId: string | undefined;
  /** Invalid request fields. */
  readonly issues: readonly Issue[] = [];
  /** Number of seconds that the service asks the client to wait before the next attempt. */
  readonly retryAfter: number | undefined;
  /** Remaining rate limits. Empty if there was no response, or if the response doesn't include them. */
  readonly rateLimit: readonly RateLimitWindow[] = [];
  /** Results of the requests that succeeded in a long lookup before another request failed. */
  readonly partial: HtsLookupResponse | undefined;
  /** Parsed response body, including fields that this class doesn't define. */
  readonly body: unknown;
  constructor(message: string, details: Partial<ComplianceError> = {}) {
    super(message);
    Object.assign(this, { name: new.target.name, ...details });
  }
}

/**
 * Error for a request that the service rejected (400, 404, 413, 422, and other 4xx). `issues` lists the invalid fields.
 */
export class InvalidRequestError extends ComplianceError {}
/** Error for a missing or invalid API key (401). */
export class AuthenticationError extends ComplianceError {}
/** Error for an API key that doesn't have access to the operation (403). */
export class PermissionError extends ComplianceError {}
/** Error for a valid API key that doesn't have delegate access (403 `beta`). */
export class BetaAccessError extends PermissionError {}
/**
 * Error for exceeding the rate limit for the API key or a scanned site (429). `retryAfter` is the number of seconds to
 * wait.
 */
export class RateLimitError extends ComplianceError {}
/** Error for a failure of the service or one of its upstreams (5xx). */
export class UpstreamError extends ComplianceError {}
/** Error for a connection that failed or was lost before the response was complete. */
export class ConnectionError extends ComplianceError {}
/** Error for a response that wasn't complete in time. */
export class TimeoutError extends ComplianceError {}
/**
 * Error for a response that can't be used, such as invalid JSON, a redirect, or a file that doesn't match its SHA-256
 * hash.
 */
export class DecodeError extends ComplianceError {}

/** Returns a message for an error response without a message. For some errors, the service sends only a code. */
export function messageFor(code: string | undefined): string {
  if (code === 'beta')
    return "the API key doesn't have delegate access. To get access, contact the operator who issued the key.";
  if (code === 'scope') return "the API key doesn't have access to this product area.";
  return 'no message.';
}

/** Returns the error class for an HTTP status other than 2xx. */
export function errorClass(status: number, code: string | undefined): typeof ComplianceError {
  if (status === 401) return AuthenticationError;
  if (status === 403) return code === 'beta' ? BetaAccessError : PermissionError;
  if (status === 429) return RateLimitError;
  if (status >= 500) return UpstreamError;
  return status >= 400 ? InvalidRequestError : DecodeError;
}
