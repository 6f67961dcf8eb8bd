import { ScanFailed, type ScanFailedReason } from '../scan-failed.ts';

const reasons: Record<string, ScanFailedReason> = {
  UND_ERR_HEADERS_TIMEOUT: 'timed_out',
  UND_ERR_BODY_TIMEOUT: 'timed_out',
  UND_ERR_HEADERS_OVERFLOW: 'too_large',
};

/**
 * Converts any request error to an error that is safe to expose to callers. The SSRF guard throws every connection
 * error as `ScanFailed`. Any other error means that the response is late, too large, incomplete, or invalid.
 *
 * @param signal the session's signal; an aborted signal means that the request timed out, regardless of the socket's
 * error
 */
export function failure(error: unknown, signal: AbortSignal): ScanFailed {
  if (error instanceof ScanFailed) return error;
  if (signal.aborted) return new ScanFailed('timed_out');
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return new ScanFailed(reasons[code] ?? 'broken_response');
}
