import { ERRORS, type ErrorCode } from '@compliance/contract/errors';
import type { Context } from 'hono';
import { ApiError } from '../errors/api-error.ts';
import { toApiError } from '../errors/to-api-error.ts';
import type { ApiEnv, PageEnv } from './context.ts';
import { jsonResponse } from './json-response.ts';

const CODE_ONLY: readonly ErrorCode[] = ['beta', 'scope'];

/** Returns whether the error's response body contains only the code, as the API contract requires for some errors. */
export function isCodeOnly(code: ErrorCode): boolean {
  return CODE_ONLY.includes(code);
}

/**
 * Records an error for the log and the metrics. Returns the error to send to the client, without internal details.
 *
 * @example app.onError((error, c) => errorResponse(c, recordError(c, error)));
 */
export function recordError<Env extends PageEnv>(c: Context<Env>, error: unknown): ApiError {
  const shown = toApiError(error);
  c.set('error', shown.code);
  if (!(error instanceof ApiError)) c.set('failure', error);
  return shown;
}

/**
 * Builds the response for an error: `{ error, message, request_id, issues?, reason? }` (only `{ error }` for some
 * codes), or RFC 9457 problem details with the same information if the `Accept` header lists that format.
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
  return isCodeOnly(code) ? { error: code } : { error: code, ...detail, message, request_id: requestId };
}
