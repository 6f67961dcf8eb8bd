import type { RateLimitWindow } from './limits.ts';

/** Response metadata that isn't part of the body. */
export interface ResponseInfo {
  status: number;
  /** Request ID to include when you contact the service operator. */
  requestId: string | undefined;
  /** Remaining rate limits. Empty if the response has no rate limit headers. */
  rateLimit: readonly RateLimitWindow[];
}

/**
 * An attempt that is about to start. To protect secrets, the event omits the URL's query string and the headers.
 */
export interface RequestEvent {
  method: string;
  url: string;
  /** Attempt number within the call, starting at 1. */
  attempt: number;
  /** Key that all attempts of the call share, or undefined for a read-only call. */
  idempotencyKey: string | undefined;
}

/** An attempt that has ended. */
export interface ResponseEvent extends RequestEvent {
  /** HTTP status, or undefined if there was no response. */
  status: number | undefined;
  requestId: string | undefined;
  rateLimit: readonly RateLimitWindow[];
  durationMs: number;
  /** Reason that the attempt failed, or undefined if it succeeded. The error doesn't contain the API key. */
  error: Error | undefined;
}

const infos = new WeakMap<object, ResponseInfo>();

/** Associates a result with its response metadata and returns the result. */
export function withResponse<Result extends object>(result: Result, info: ResponseInfo): Result {
  infos.set(result, info);
  return result;
}

/**
 * Returns the status, request ID, and rate limits of the response that contained a result. If the client split a lookup
 * into several requests, returns these values from the last response.
 *
 * @throws `TypeError` if the object isn't the result of a call
 * @example responseOf(await client.tariff.lists()).requestId
 */
export function responseOf(result: object): ResponseInfo {
  const info = infos.get(result);
  if (!info) throw new TypeError("This object wasn't returned by a client call.");
  return info;
}
