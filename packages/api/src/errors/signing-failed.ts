/**
 * Error for a certificate that couldn't be signed, and therefore wasn't issued. The log contains the code, which shows
 * whether the timestamp authority or the key is the cause.
 */
export class SigningFailed extends Error {
  override name = 'SigningFailed';
  readonly code: 'timestamp_failed' | 'signature_failed';

  constructor(cause: unknown) {
    super('The certificate couldn’t be signed.', { cause });
    this.code = cause instanceof Error && cause.name === 'TimestampError' ? 'timestamp_failed' : 'signature_failed';
  }
}
