import type { LimitTake, LimitWindow } from '@compliance/store';
import type { Context } from 'hono';
import { ApiError } from '../errors/api-error.ts';
import type { ApiEnv } from '../http/context.ts';

/**
 * Adds the `RateLimit` and `RateLimit-Policy` headers (IETF draft) to the response, with the quota and remaining
 * requests for each window.
 */
export function setRateLimitHeaders(c: Context<ApiEnv>, { windows }: LimitTake, now: number): void {
  const [minute, day] = windows;
  const headers = c.get('responseHeaders');
  headers['RateLimit-Policy'] = `${policyOf(minute)}, ${policyOf(day)}`;
  headers.RateLimit = `${stateOf(minute, now)}, ${stateOf(day, now)}`;
}

/**
 * Rejects the request if a limit is exceeded.
 *
 * @throws ApiError `rate_limited`, with the number of seconds to wait in `Retry-After`
 */
export function enforceRateLimit(take: LimitTake, now: number): void {
  if (take.retryAt !== null) {
    throw new ApiError('rate_limited', { headers: { 'Retry-After': `${secondsUntil(take.retryAt, now)}` } });
  }
}

function policyOf({ name, quota, windowSeconds }: LimitWindow): string {
  return `"${name}";q=${quota};w=${windowSeconds}`;
}

function stateOf({ name, remaining, resetAt }: LimitWindow, now: number): string {
  return `"${name}";r=${remaining};t=${secondsUntil(resetAt, now)}`;
}

function secondsUntil(time: number, now: number): number {
  return Math.max(0, Math.ceil((time - now) / 1000));
}
