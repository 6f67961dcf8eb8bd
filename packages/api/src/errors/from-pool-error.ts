import { PoolError } from '@compliance/crawler/pool';
import { ApiError } from './api-error.ts';

/**
 * Maximum value of `Retry-After` in seconds. The client libraries wait up to 60 seconds before retrying. If the value
 * is larger, the libraries fail immediately.
 */
const MAX_RETRY_SECONDS = 60;

/**
 * Converts a pool error with the reason `busy`, `timed_out`, or `canceled` to an API error. Returns any other error
 * unchanged, so that it's logged. For `busy`, `Retry-After` is the expected time in the queue, up to the maximum.
 */
export function fromPoolError(error: unknown): unknown {
  if (!(error instanceof PoolError)) return error;
  const { reason, retryAfterMs = 0 } = error;
  if (reason === 'busy') {
    const seconds = Math.min(MAX_RETRY_SECONDS, Math.max(1, Math.ceil(retryAfterMs / 1000)));
    return new ApiError('unavailable', {
      message: 'The service is at capacity. Retry after the time in `Retry-After`.',
      headers: { 'Retry-After': `${seconds}` },
    });
  }
  if (reason === 'timed_out') {
    return new ApiError('unavailable', {
      message: "The service couldn't complete the request in time. Retry after the time in `Retry-After`.",
      headers: { 'Retry-After': '5' },
    });
  }
  // The client disconnected, so it doesn't receive the response.
  if (reason === 'canceled') return new ApiError('unavailable');
  return error;
}
