import { StoreError } from './errors.ts';

/** Node.js error codes for a full disk, an exceeded quota, and a file at its maximum size. */
const FULL = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** Node.js error codes for a read-only file system and missing permissions. */
const READ_ONLY = ['EROFS', 'EACCES', 'EPERM'];

/** Returns the error for a location whose disk is full or whose quota is exceeded. */
export function storageFull(location: string, code: string): StoreError {
  return new StoreError(
    'storage_full',
    `Can't write to ${location}, because the disk is full or its quota is exceeded (${code}). Stored data is intact. Free up space; ` +
      "you don't need to restart the service.",
  );
}

/** Returns the error for a location that this process isn't allowed to write to. */
export function storageReadOnly(location: string, code: string): StoreError {
  return new StoreError(
    'storage_read_only',
    `Can't write to ${location}, because it's read-only for this user (${code}). Give the service's user write ` +
      'permission, or mount the volume read-write.',
  );
}

/** Returns the error for a database with damaged data. */
export function databaseDamaged(location: string, code: string): StoreError {
  return new StoreError(
    'database_damaged',
    `The database is damaged: ${location} (${code}). Stop the service, keep a copy of the damaged files, and restore the ` +
      'newest backup to an empty location: compliance restore <backup>',
  );
}

/** Returns the error for a database that doesn't respond. */
export function databaseUnavailable(location: string, code: string): StoreError {
  return new StoreError(
    'database_unavailable',
    `${location} doesn't respond (${code}). Make sure that the database is running and accepts connections from this user.`,
  );
}

/**
 * Returns the error for a failed file operation at a location, or null if storage isn't the cause.
 *
 * @example fileFailure(Object.assign(new Error(), { code: 'ENOSPC' }), 'the data folder')?.code // 'storage_full'
 */
export function fileFailure(error: unknown, location: string): StoreError | null {
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code !== 'string') return null;
  if (FULL.includes(code)) return storageFull(location, code);
  return READ_ONLY.includes(code) ? storageReadOnly(location, code) : null;
}

/** Returns whether an error means that the store rejects writes because it's full or read-only. */
export function refusesWrites(error: unknown): boolean {
  return error instanceof StoreError && (error.code === 'storage_full' || error.code === 'storage_read_only');
}
