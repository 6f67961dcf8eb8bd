import type { LimitTake } from '@compliance/store';
import type { Context } from 'hono';
import type { ApiEnv } from '../context.ts';
import { ApiError } from '../errors.ts';

/** Has the answer say what is left of each window: the `RateLimit` fields of the IETF draft. */
export function showLimit(c: Context<ApiEnv>, { windows }: LimitTake, now: number): void {
  const policy = windows.map(({ name, quota, windowSeconds }) => `"${name}";q=${quota};w=${windowSeconds}`);
  const state = windows.map(
    ({ name, remaining, resetAt }) => `"${name}";r=${remaining};t=${secondsUntil(resetAt, now)}`,
  );
  Object.assign(c.get('carried'), { 'RateLimit-Policy': policy.join(', '), RateLimit: state.join(', ') });
}

/** @throws ApiError `rate_limited`, with the seconds to wait */
export function withinLimit(take: LimitTake, now: number): void {
  if (take.retryAt !== null) {
    throw new ApiError('rate_limited', { headers: { 'Retry-After': `${secondsUntil(take.retryAt, now)}` } });
  }
}

function secondsUntil(time: number, now: number): number {
  return Math.max(0, Math.ceil((time - now) / 1000));
}
