import type { LimitTake } from '@compliance/store';
import { ApiError } from '../errors.ts';

/** The `RateLimit` fields of the IETF draft: the policy of each window, and what is left of it. */
export function limitHeaders({ windows }: LimitTake, now: number): Record<string, string> {
  const policy = windows.map(({ name, quota, windowSeconds }) => `"${name}";q=${quota};w=${windowSeconds}`);
  const state = windows.map(
    ({ name, remaining, resetAt }) => `"${name}";r=${remaining};t=${secondsUntil(resetAt, now)}`,
  );
  return { 'RateLimit-Policy': policy.join(', '), RateLimit: state.join(', ') };
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
