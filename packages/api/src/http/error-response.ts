import type { Context } from 'hono';
import type { ApiError } from '../errors/api-error.ts';
import { ERRORS, type ErrorCode } from '../errors/error-codes.ts';
import type { ApiEnv } from './context.ts';
import { jsonResponse } from './json-response.ts';

/** Errors with only the code in the response body, as the API contract requires. */
const CODE_ONLY: readonly ErrorCode[] = ['beta', 'scope'];

/**
 * Builds the response for an error: `{ error, message, request_id, issues?, reason? }`, or RFC 9457 problem details
 * with the same information if the `Accept` header lists that format.
 */
export function errorResponse(c: Context<ApiEnv>, error: ApiError): Response {
  const { code, message, detail, headers } = error;
  const { status } = ERRORS[code];
  const request_id = c.get('requestId');
  c.set('error', code);
  if (c.req.header('accept')?.includes('application/problem+json')) {
    const problem = { type: `/docs/errors/${code}`, title: message, status, error: code, request_id, ...detail };
    return jsonResponse(c, status, JSON.stringify(problem), { ...headers, 'Content-Type': 'application/problem+json' });
  }
  return jsonResponse(c, status, JSON.stringify(errorBody(code, { message, detail, requestId: request_id })), headers);
}

/** Builds the JSON body of an error. */
export function errorBody(
  code: ErrorCode,
  { message, detail, requestId }: { message: string; detail: ApiError['detail']; requestId: string },
): object {
  return CODE_ONLY.includes(code) ? { error: code } : { error: code, ...detail, message, request_id: requestId };
}
