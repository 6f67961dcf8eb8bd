/**
 * Code that identifies an error. Codes are stable; messages can change.
 *
 * - `config_invalid`: a setting, such as a location, an S3 setting, or a quota, is invalid or missing.
 * - `database_unavailable`: the database doesn't respond, another process has kept it locked for too long, or its disk
 *   reports an error.
 * - `database_damaged`: the database file is damaged, or the server reports damaged data. Restore a backup.
 * - `database_newer`: a newer release migrated the database, and this release can't use it.
 * - `storage_full`: the disk or the database server's disk is full, or the storage quota is exceeded; nothing was
 *   written.
 * - `storage_read_only`: the location is read-only for this process; nothing was written.
 * - `store_missing`: no store exists at this location, and `openStore` wasn't allowed to create one.
 * - `key_unknown`: no key has this ID.
 * - `key_ended`: the key is revoked or expired and can't be rotated.
 * - `key_rotated`: the key already has a successor and can't be rotated again.
 * - `certificate_unknown`: no certificate has this ID.
 * - `certificate_exists`: another certificate already has this ID.
 * - `certificate_ended`: the certificate is already voided or superseded, so it can't be changed.
 * - `certificate_incomplete`: the certificate isn't complete, so it can't supersede another one.
 * - `certificate_invalid`: the ID, record, PDF, or reason for voiding is malformed.
 * - `blobs_unavailable`: a PDF or a job file couldn't be read from or written to the folder or bucket.
 * - `blob_missing`: the certificate exists but its PDF isn't in the folder or bucket.
 * - `blob_damaged`: the stored bytes don't match their SHA-256 hash.
 * - `request_unknown`: no waitlist request has this ID.
 * - `request_decided`: the waitlist request was already approved or declined.
 * - `watch_unknown`: the key family has no watch with this ID.
 * - `watch_limit`: the key family already has the maximum number of watches.
 * - `bulk_unknown`: the key family has no bulk job with this ID.
 * - `bulk_started`: the bulk job's input is complete, another upload started later, or the job was canceled.
 * - `bulk_limit`: the key family already has the maximum number of unfinished bulk jobs.
 * - `bulk_quota`: the bulk job would exceed the key family's daily row quota.
 * - `input_unavailable`: a job's input in S3 can't be read.
 * - `shop_invalid`: the shop isn't a lowercase `*.myshopify.com` domain.
 * - `shop_unknown`: the shop never installed the app, or the shop's data was erased.
 * - `shop_uninstalled`: the shop has uninstalled the app, and the job isn't marked `afterUninstall`.
 * - `lease_lost`: another worker claimed the job, or the job was canceled or erased; nothing was written.
 * - `scan_invalid`: the scan to record is malformed.
 * - `cursor_invalid`: the cursor doesn't belong to this list.
 * - `backup_damaged`: a backup was altered or truncated, or its PDFs are missing.
 * - `backup_refused`: the backup can't be created or restored at this location; nothing was changed.
 */
export type StoreErrorCode =
  | 'config_invalid'
  | 'database_unavailable'
  | 'database_damaged'
  | 'database_newer'
  | 'storage_full'
  | 'storage_read_only'
  | 'store_missing'
  | 'key_unknown'
  | 'key_ended'
  | 'key_rotated'
  | 'certificate_unknown'
  | 'certificate_exists'
  | 'certificate_ended'
  | 'certificate_incomplete'
  | 'certificate_invalid'
  | 'blobs_unavailable'
  | 'blob_missing'
  | 'blob_damaged'
  | 'request_unknown'
  | 'request_decided'
  | 'watch_unknown'
  | 'watch_limit'
  | 'bulk_unknown'
  | 'bulk_started'
  | 'bulk_limit'
  | 'bulk_quota'
  | 'input_unavailable'
  | 'shop_invalid'
  | 'shop_unknown'
  | 'shop_uninstalled'
  | 'lease_lost'
  | 'scan_invalid'
  | 'cursor_invalid'
  | 'backup_damaged'
  | 'backup_refused';

/**
 * Error thrown by the store. The message explains how to fix the problem and never contains secrets. The `code` is
 * stable.
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
    `No key has the ID ${JSON.stringify(id)}. To find the ID, list all keys, including expired and revoked ones.`,
  );
}
