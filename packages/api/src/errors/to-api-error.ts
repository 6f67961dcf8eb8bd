import { LookupOptionError } from '@compliance/core/tariff';
import { PoolError } from '@compliance/crawler/pool';
import { StoreError, type StoreErrorCode } from '@compliance/store';
import { ApiError } from './api-error.ts';
import { SigningFailed } from './signing-failed.ts';

/** Header that asks the client to retry after five seconds. */
const RETRY_AFTER = { 'Retry-After': '5' };

/**
 * API errors for three kinds of store errors: temporary errors, errors that the service operator must fix, and errors
 * that the caller caused.
 */
const STORE_FAILURES: Partial<Record<StoreErrorCode, () => ApiError>> = {
  storage_full: () => new ApiError('storage_full', { headers: { 'Retry-After': '60' } }),
  storage_read_only: () => new ApiError('unavailable', { headers: { 'Retry-After': '60' } }),
  database_unavailable: () => new ApiError('unavailable', { headers: RETRY_AFTER }),
  blobs_unavailable: () => new ApiError('unavailable', { headers: RETRY_AFTER }),
  watch_unknown: () => new ApiError('watch_not_found'),
  watch_limit: () => new ApiError('watch_limit'),
  bulk_unknown: () => new ApiError('job_not_found'),
  bulk_started: () => new ApiError('job_started'),
  bulk_limit: () => new ApiError('job_limit'),
  bulk_quota: () => new ApiError('job_quota'),
  database_damaged: () => new ApiError('unavailable'),
};

/**
 * Converts any error to the API error in the response. An error for an invalid lookup option becomes
 * `invalid_request`. An unexpected error becomes `internal`, because its message can contain internal details.
 *
 * @example toApiError(new StoreError('storage_full', '…')).code // 'storage_full'
 */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof LookupOptionError) {
    const path = error.option === 'asOf' ? 'as_of' : error.option;
    return new ApiError('invalid_request', {
      detail: { issues: [{ path, code: 'INVALID_VALUE', message: error.message }] },
    });
  }
  if (error instanceof SigningFailed) {
    return new ApiError('unavailable', {
      message: "The service couldn't sign the certificate, so it wasn't issued. Retry after the time in `Retry-After`.",
      headers: RETRY_AFTER,
    });
  }
  if (error instanceof PoolError && error.reason === 'not_started') {
    return new ApiError('unavailable', {
      message: "The service couldn't start a process for the request. Retry after the time in `Retry-After`.",
      headers: RETRY_AFTER,
    });
  }
  const known = error instanceof StoreError ? STORE_FAILURES[error.code] : undefined;
  return known?.() ?? new ApiError('internal');
}
