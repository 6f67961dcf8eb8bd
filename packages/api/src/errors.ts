import type { Context } from 'hono';
import { answer } from './answer.ts';
import type { ApiEnv } from './context.ts';

/** Every error code of the service: its status, and what to tell a caller when there is nothing closer to say. */
export const ERRORS = {
  invalid_json: { status: 400, message: 'The body is not JSON.' },
  invalid_request: { status: 400, message: 'The request does not fit the operation; see issues.' },
  unauthorized: { status: 401, message: 'Send a valid API key: Authorization: Bearer <API_KEY>.' },
  beta: { status: 403, message: 'The key is not flagged for delegate access.' },
  scope: { status: 403, message: 'The key is not for this product area.' },
  link_invalid: { status: 403, message: 'The link is not valid. Ask for a fresh one on the page of the certificate.' },
  not_found: { status: 404, message: 'There is nothing at this path.' },
  method_not_allowed: { status: 405, message: 'This path does not take this method; see Allow.' },
  idempotency_running: {
    status: 409,
    message: 'A request with this Idempotency-Key is still running; see Retry-After.',
  },
  link_expired: { status: 410, message: 'The link has expired. Ask for a fresh one on the page of the certificate.' },
  certificate_void: { status: 410, message: 'The certificate was voided; its page says why.' },
  certificate_superseded: {
    status: 410,
    message: 'Another certificate took the place of this one; its page names it.',
  },
  body_too_large: { status: 413, message: 'The body is over 256 KiB.' },
  unsupported_media_type: { status: 415, message: 'Send the body as Content-Type: application/json.' },
  idempotency_mismatch: { status: 422, message: 'This Idempotency-Key was used for another body within 24 hours.' },
  scan_failed: { status: 422, message: 'There is no page to scan at this address; see reason.' },
  rate_limited: { status: 429, message: 'The limit is used up; see Retry-After.' },
  internal: { status: 500, message: 'The service failed. Try again; if it stays, report the request id.' },
  upstream: { status: 502, message: 'The site failed while it was read. Try again later.' },
  unavailable: { status: 503, message: 'The service is not ready or has no room; see Retry-After.' },
} as const;

/** A stable error code. */
export type ErrorCode = keyof typeof ERRORS;

/** One fault of a request: the dotted path of the field, a stable code, and what to do. */
export interface Issue {
  path: string;
  code: string;
  message: string;
}

/** An answer other than success. Thrown by gates and operations; turned into a response in one place. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ErrorCode;
  /** What the body says beside the code: the faults of the request, or why a page could not be scanned. */
  readonly detail: { issues?: readonly Issue[]; reason?: string };
  readonly headers: Record<string, string>;
  constructor(
    code: ErrorCode,
    options: { message?: string; detail?: ApiError['detail']; headers?: Record<string, string> } = {},
  ) {
    super(options.message ?? ERRORS[code].message);
    this.code = code;
    this.detail = options.detail ?? {};
    this.headers = options.headers ?? {};
  }
}

/** These two bodies are fixed by the contract to the code alone. */
const BARE: readonly ErrorCode[] = ['beta', 'scope'];

/**
 * The response for an error: `{ error, message, request_id, issues?, reason? }`, or the same as RFC 9457 problem details when the
 * caller's `Accept` lists them.
 */
export function errorResponse(c: Context<ApiEnv>, error: ApiError): Response {
  const { code, message, detail, headers } = error;
  const { status } = ERRORS[code];
  const request_id = c.get('requestId');
  c.set('error', code);
  if (c.req.header('accept')?.includes('application/problem+json')) {
    const problem = { type: `/docs/errors/${code}`, title: message, status, error: code, request_id, ...detail };
    return answer(c, status, JSON.stringify(problem), { ...headers, 'Content-Type': 'application/problem+json' });
  }
  const body = BARE.includes(code) ? { error: code } : { error: code, ...detail, message, request_id };
  return answer(c, status, JSON.stringify(body), headers);
}
