/**
 * What went wrong, in a word that callers may compare. The words never change; the sentences may.
 *
 * - `config_invalid`: an argument of `openStore` cannot be used.
 * - `database_unavailable`: PostgreSQL did not answer at opening or in `ready()`.
 * - `key_unknown`: no key has this id.
 * - `key_ended`: the key is revoked or expired and cannot be rotated.
 * - `key_rotated`: the key has a successor already and cannot be rotated a second time.
 * - `certificate_unknown`: no certificate has this id.
 * - `certificate_exists`: another certificate has this id already.
 * - `certificate_ended`: the certificate is void or superseded already and cannot be ended a second time.
 * - `certificate_invalid`: what should be stored for good has not the shape that it must have.
 * - `blobs_unavailable`: the folder or bucket of the PDFs did not take or give one.
 * - `blob_missing`: the certificate is known and its PDF is not where the store looks for it.
 * - `blob_damaged`: the bytes that are kept are not those that were put.
 * - `request_unknown`: no request on the waitlist has this id.
 * - `request_decided`: the request was approved or declined already.
 * - `shop_invalid`: the text is no `*.myshopify.com` domain in lower case.
 * - `shop_unknown`: the shop never had the app, or was erased.
 * - `shop_uninstalled`: the shop has removed the app, and the job is not one for after that.
 * - `lease_lost`: the job was taken by another worker, cancelled or erased; nothing was written.
 * - `scan_invalid`: the scan to be recorded has not the shape that it must have.
 * - `cursor_invalid`: the text is no cursor that this list gave.
 * - `backup_damaged`: a backup is not as it was written, or lacks PDFs.
 * - `backup_refused`: it cannot be made or restored here, and nothing was changed.
 */
export type StoreErrorCode =
  | 'config_invalid'
  | 'database_unavailable'
  | 'key_unknown'
  | 'key_ended'
  | 'key_rotated'
  | 'certificate_unknown'
  | 'certificate_exists'
  | 'certificate_ended'
  | 'certificate_invalid'
  | 'blobs_unavailable'
  | 'blob_missing'
  | 'blob_damaged'
  | 'request_unknown'
  | 'request_decided'
  | 'shop_invalid'
  | 'shop_unknown'
  | 'shop_uninstalled'
  | 'lease_lost'
  | 'scan_invalid'
  | 'cursor_invalid'
  | 'backup_damaged'
  | 'backup_refused';

/**
 * The only error class that the store throws on purpose. Its message is a sentence that says what to do and
 * holds no secret; `code` is stable.
 *
 * @example
 * try { await store.keys.revoke(id, { actor }) } catch (error) {
 *   if (error instanceof StoreError && error.code === 'key_unknown') return notFound(error.message);
 *   throw error;
 * }
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export function unknownKey(id: string): StoreError {
  return new StoreError(
    'key_unknown',
    `No key has the id ${JSON.stringify(id)}. List the keys, ended ones included, to find its id.`,
  );
}
