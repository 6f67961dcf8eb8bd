import { ApiError } from '../errors/api-error.ts';

/** Matches the `Idempotency-Key` header. */
export const IDEMPOTENCY_KEY = /^(?:"([\x20\x21\x23-\x7e]{1,255})"|([\x21\x23-\x7e]{1,255}))$/;

/**
 * Parses the `Idempotency-Key` header of a request, or returns null if the header is absent. The draft standard
 * requires a quoted string, but some clients send the key without quotation marks.
 *
 * @throws ApiError `invalid_request`
 */
export function parseIdempotencyKey(header: string | null): string | null {
  if (header === null) return null;
  const [, quoted, bare] = IDEMPOTENCY_KEY.exec(header) ?? [];
  const text = quoted ?? bare;
  if (text !== undefined) return text;
  const message = 'Use 1 to 255 printable ASCII characters, with or without quotation marks.';
  throw new ApiError('invalid_request', {
    detail: { issues: [{ path: 'Idempotency-Key', code: 'INVALID_FORMAT', message }] },
  });
}
