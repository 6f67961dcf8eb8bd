import { StoreError, type StoreErrorCode } from '@compliance/store';
import { ApiError } from './api-error.ts';

/** Number of seconds after which a client should retry a request that failed because of the store. */
const RETRY_AFTER = { 'Retry-After': '5' };

/** Responses for store errors that the operator of the service must fix, or that pass. */
const STORE_FAILURES: Partial<Record<StoreErrorCode, () => ApiError>> = {
  storage_full: () => new ApiError('storage_full', { headers: { 'Retry-After': '60' } }),
  storage_read_only: () => new ApiError('unavailable', { headers: { 'Retry-After': '60' } }),
  database_unavailable: () => new ApiError('unavailable', { headers: RETRY_AFTER }),
  blobs_unavailable: () => new ApiError('unavailable', { headers: RETRY_AFTER }),
  database_damaged: () => new ApiError('unavailable'),
};

/**
 * Converts any error to the error in the response. An unexpected error becomes `internal`, because its message can contain
 * internal details.
 *
 * @example toApiError(new StoreError('storage_full', '…')).code // 'storage_full'
 */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const known = error instanceof StoreError ? STORE_FAILURES[error.code] : undefined;
  return known?.() ?? new ApiError('internal');
}
