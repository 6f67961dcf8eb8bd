import { ScanFailed } from '../scan-failed.ts';

const reasons: Record<string, ScanFailed['reason']> = {
  UND_ERR_HEADERS_TIMEOUT: 'timed_out',
  UND_ERR_BODY_TIMEOUT: 'timed_out',
  UND_ERR_HEADERS_OVERFLOW: 'too_large',
  UND_ERR_SOCKET: 'broken_response',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'broken_response',
  ECONNRESET: 'broken_response',
  EPIPE: 'broken_response',
};

/**
 * Turns whatever a request threw into the error that callers may see.
 *
 * @param signal the session's: when it has fired, the cause is time, whatever the socket said on its way out
 */
export function failure(error: unknown, signal: AbortSignal): ScanFailed {
  if (error instanceof ScanFailed) return error;
  if (signal.aborted) return new ScanFailed('timed_out');
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  // HPE_ is the HTTP parser, Z_ and ERR_BROTLI the decompressors.
  const broken = /^(?:HPE_|Z_|ERR_BROTLI|ERR__ERROR)/.test(code);
  return new ScanFailed(reasons[code] ?? (broken ? 'broken_response' : 'unreachable'));
}
