import { type Reason, ScanFailed } from '../scan-failed.ts';

const reasons: Record<string, Reason> = {
  UND_ERR_HEADERS_TIMEOUT: 'timed_out',
  UND_ERR_BODY_TIMEOUT: 'timed_out',
  UND_ERR_HEADERS_OVERFLOW: 'too_large',
};

/**
 * Turns whatever a request threw into the error that callers may see. The gate speaks for everything up to the
 * connection, so what else goes wrong is an answer that is not HTTP, not in its encoding, or not complete.
 *
 * @param signal the session's: when it has fired, the cause is time, whatever the socket said on its way out
 */
export function failure(error: unknown, signal: AbortSignal): ScanFailed {
  if (error instanceof ScanFailed) return error;
  if (signal.aborted) return new ScanFailed('timed_out');
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return new ScanFailed(reasons[code] ?? 'broken_response');
}
