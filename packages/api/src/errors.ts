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
  not_found: { status: 404, message: 'There is nothing at this path.' },
  method_not_allowed: { status: 405, message: 'This path does not take this method; see Allow.' },
  body_too_large: { status: 413, message: 'The body is over 256 KiB.' },
  unsupported_media_type: { status: 415, message: 'Send the body as Content-Type: application/json.' },
  rate_limited: { status: 429, message: 'The limit is used up; see Retry-After.' },
  internal: { status: 500, message: 'The service failed. Try again; if it stays, report the request id.' },
  unavailable: { status: 503, message: 'The service is not ready.' },
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
  readonly issues: readonly Issue[] | undefined;
  readonly headers: Record<string, string>;
  constructor(code: ErrorCode, options: { issues?: readonly Issue[]; headers?: Record<string, string> } = {}) {
    super(ERRORS[code].message);
    this.code = code;
    this.issues = options.issues;
    this.headers = options.headers ?? {};
  }
}

/** These two bodies are fixed by the contract to the code alone. */
const BARE: readonly ErrorCode[] = ['beta', 'scope'];

/**
 * The response for an error: `{ error, message, request_id, issues? }`, or the same as RFC 9457 problem details when the
 * caller's `Accept` lists them.
 */
export function errorResponse(c: Context<ApiEnv>, error: ApiError): Response {
  const { code, issues, headers } = error;
  const { status, message } = ERRORS[code];
  const request_id = c.get('requestId');
  c.set('error', code);
  if (c.req.header('accept')?.includes('application/problem+json')) {
    const problem = { type: `/docs/errors/${code}`, title: message, status, error: code, request_id, issues };
    return answer(c, status, JSON.stringify(problem), { ...headers, 'Content-Type': 'application/problem+json' });
  }
  const body = BARE.includes(code) ? { error: code } : { error: code, message, request_id, issues };
  return answer(c, status, JSON.stringify(body), headers);
}
