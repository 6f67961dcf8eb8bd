import type { Context } from 'hono';
import { answer } from './answer.ts';
import type { ApiEnv } from './context.ts';
import { ERRORS, type ErrorCode } from './error-codes.ts';

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
  return answer(c, status, JSON.stringify(bodyOfError(code, { message, detail, requestId: request_id })), headers);
}

/** The plain body of an error. */
export function bodyOfError(
  code: ErrorCode,
  { message, detail, requestId }: { message: string; detail: ApiError['detail']; requestId: string },
): object {
  return BARE.includes(code) ? { error: code } : { error: code, ...detail, message, request_id: requestId };
}
