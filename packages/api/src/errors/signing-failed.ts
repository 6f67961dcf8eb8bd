/**
 * Thrown when a certificate can't be signed and therefore isn't issued. The log contains `code`, which shows whether
 * the timestamp authority or the signing process failed.
 */
export class SigningFailed extends Error {
  override name = 'SigningFailed';
  readonly code: 'timestamp_failed' | 'signature_failed';

  constructor(cause: unknown) {
    super('The certificate couldn’t be signed.', { cause });
    this.code = cause instanceof Error && cause.name === 'TimestampError' ? 'timestamp_failed' : 'signature_failed';
  }
}
