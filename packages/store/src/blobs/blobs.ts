import { createHash } from 'node:crypto';
import { StoreError } from '../errors.ts';
import { fileFailure } from '../storage-failure.ts';

/** Storage for certificate PDFs, identified by their SHA-256 hash (64 lowercase hex digits). PDFs can't be deleted. */
export interface Blobs {
  /**
   * Stores bytes and returns their SHA-256 hash. Resolves once the bytes would survive a power failure. Storing the
   * same bytes again has no effect except to repair a damaged copy.
   *
   * @throws StoreError with `storage_full`, `storage_read_only`, or `blobs_unavailable`, or with `config_invalid` if
   * the store was opened without a location for PDFs
   * @example
   * const sha256 = await store.blobs.put(pdf);
   */
  put(bytes: Uint8Array): Promise<string>;
  /**
   * Returns the stored bytes after checking them against their SHA-256 hash. Returns null if the bytes aren't stored or
   * the text isn't a valid SHA-256 hash.
   *
   * @throws StoreError with `blob_damaged`, `blobs_unavailable`, or `config_invalid`
   */
  get(sha256: string): Promise<Uint8Array<ArrayBuffer> | null>;
  /**
   * Returns whether the bytes are stored. Like `get`, reads and verifies all bytes.
   *
   * @throws StoreError with the same codes as `get`
   */
  has(sha256: string): Promise<boolean>;
  /**
   * Writes a few bytes to check that PDFs can be stored. Resolves without writing if the store has no location for
   * PDFs.
   *
   * @throws StoreError with `storage_full`, `storage_read_only`, or `blobs_unavailable`
   */
  check(): Promise<void>;
  /** Deletable files in the same storage. */
  readonly files: BlobFiles;
}

/**
 * Named files, such as `blk_0mi7/in-000001`. `read` throws a StoreError with `blobs_unavailable` or `config_invalid`,
 * and the other functions throw a StoreError with the same codes as `Blobs.put`.
 */
export interface BlobFiles {
  /** Stores a file atomically, replacing any file with the same name. */
  write(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Returns the file's bytes, or null if the file doesn't exist. */
  read(name: string): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Deletes the file if it exists. */
  remove(name: string): Promise<void>;
  /** Deletes all files whose names start with the folder's name and a slash. */
  removeFolder(name: string): Promise<void>;
}

/**
 * Storage backend that stores bytes under a path such as `ab/cd/abcd….pdf`. Error messages include only the `code` of
 * an error that the backend throws.
 */
export interface BlobBackend {
  /** Description of the location for error messages, without secrets. */
  readonly location: string;
  /**
   * Stores bytes atomically, so that a concurrent `get` returns either all bytes or null. Resolves once the bytes would
   * survive a power failure.
   */
  write(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /**
   * Returns the stored bytes, or null if the path doesn't exist. Throws an error if the backend can't determine whether
   * the path exists.
   */
  read(path: string): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Deletes the stored bytes if they exist. */
  remove(path: string): Promise<void>;
  /** Deletes everything stored below a path. */
  removeFolder(path: string): Promise<void>;
  /** Writes a few bytes to check that writing works, and leaves at most one small file behind. Doesn't retry. */
  check(): Promise<void>;
}

export function createBlobs(backend: BlobBackend | null): Blobs {
  async function ask<T>(work: (backend: BlobBackend) => Promise<T>, { writes = false } = {}): Promise<T> {
    if (!backend) {
      throw new StoreError(
        'config_invalid',
        'No file storage is configured for the store. Open the store with a data folder, or configure S3 in addition to the database.',
      );
    }
    try {
      return await work(backend);
    } catch (error) {
      if (error instanceof StoreError) throw error;
      const failure = writes ? fileFailure(error, backend.location) : null;
      if (failure) throw failure;
      const code = (error as { code?: unknown }).code ?? 'no code';
      throw new StoreError(
        'blobs_unavailable',
        `Can't read or write files in ${backend.location} (${code}). Make sure that the location exists and that the service has access to it.`,
      );
    }
  }

  async function get(sha256: string) {
    if (!/^[0-9a-f]{64}$/.test(sha256)) return null;
    const bytes = await ask(({ read }) => read(pathOf(sha256)));
    if (bytes && sha256Of(bytes) !== sha256) {
      throw new StoreError(
        'blob_damaged',
        `A PDF in ${backend?.location} doesn't match its SHA-256 hash. Restore ${pathOf(sha256)} from a backup.`,
      );
    }
    return bytes;
  }

  return {
    async put(bytes) {
      // Copy the bytes, because the caller might change the buffer during the write.
      const kept = new Uint8Array(bytes);
      const sha256 = sha256Of(kept);
      await ask(({ write }) => write(pathOf(sha256), kept), { writes: true });
      return sha256;
    },
    get,
    has: async sha256 => (await get(sha256)) !== null,
    async check() {
      if (backend) await ask(({ check }) => check(), { writes: true });
    },
    files: {
      write: (name, bytes) => ask(({ write }) => write(`files/${name}`, bytes), { writes: true }),
      read: name => ask(({ read }) => read(`files/${name}`)),
      remove: name => ask(({ remove }) => remove(`files/${name}`), { writes: true }),
      removeFolder: name => ask(({ removeFolder }) => removeFolder(`files/${name}`), { writes: true }),
    },
  };
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function pathOf(sha256: string): string {
  return `${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}.pdf`;
}
