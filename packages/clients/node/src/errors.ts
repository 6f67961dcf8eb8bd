/** One fault of a request: the dotted path of the field (`codes.3`), a stable code, and what to do. */
export interface Issue {
  path: string;
  code: string;
  message: string;
}

/**
 * What every failed call throws. The classes below say which kind of failure it is; none holds the API key.
 *
 * @example
 * try { await client.tariff.hts.lookup(codes) }
 * catch (error) { if (error instanceof RateLimitError) console.log(error.retryAfter) }
 */
export class ComplianceError extends Error {
  /** HTTP status; undefined when no answer came. */
  readonly status: number | undefined;
  /** The stable error code of the service, such as `invalid_request`. Switch on this or on the class, not on the message. */
  readonly code: string | undefined;
  /** Names the request in a report to the operator. */
  readonly requestId: string | undefined;
  /** The fields at fault. */
  readonly issues: readonly Issue[] = [];
  /** Seconds that the service asks to wait. */
  readonly retryAfter: number | undefined;
  /** The answer as it was parsed, with fields that are not named here. */
  readonly body: unknown;
  constructor(message: string, told: Partial<ComplianceError> = {}) {
    super(message);
    Object.assign(this, { name: new.target.name, ...told });
  }
}

/** The service does not take the request (400, 404, 413, 422 and other 4xx); `issues` names the fields at fault. */
export class InvalidRequestError extends ComplianceError {}
/** The key is missing or not valid (401). */
export class AuthenticationError extends ComplianceError {}
/** The key is not for this (403). */
export class PermissionError extends ComplianceError {}
/** The key is valid but not admitted to the beta (403 `beta`). */
export class BetaAccessError extends PermissionError {}
/** The limit of the key is used up (429); `retryAfter` says for how many seconds. */
export class RateLimitError extends ComplianceError {}
/** The service, or what it asked, failed (5xx). */
export class UpstreamError extends ComplianceError {}
/** No connection, or it broke before the answer was complete. */
export class ConnectionError extends ComplianceError {}
/** The answer was not complete in time. */
export class TimeoutError extends ComplianceError {}
/** An answer came that is not what the service promises: no JSON, a redirect, another file. */
export class DecodeError extends ComplianceError {}

/** The class for an HTTP status that is no success. */
export function errorClass(status: number, code: string | undefined): typeof ComplianceError {
  if (status === 401) return AuthenticationError;
  if (status === 403) return code === 'beta' ? BetaAccessError : PermissionError;
  if (status === 429) return RateLimitError;
  if (status >= 500) return UpstreamError;
  return status >= 400 ? InvalidRequestError : DecodeError;
}
