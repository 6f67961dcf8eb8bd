import { createHash } from 'node:crypto';
import { StoreError } from '../errors.ts';

/** The PDFs of certificates, each under the SHA-256 of its bytes (64 lower-case hex digits). There is no way to remove one. */
export interface Blobs {
  /**
   * Keeps bytes and gives their SHA-256. Resolves when they would survive a power cut. The same bytes again change
   * nothing, and mend a copy that was damaged.
   *
   * @throws StoreError `blobs_unavailable`, `config_invalid` when the store was opened without a place for them
   * @example
   * const sha256 = await store.blobs.put(pdf);
   */
  put(bytes: Uint8Array): Promise<string>;
  /**
   * The bytes, which are those that were put: they are checked against their SHA-256 each time. Null when there are
   * none, also for a text that is no SHA-256.
   *
   * @throws StoreError `blob_damaged`, `blobs_unavailable`, `config_invalid`
   */
  get(sha256: string): Promise<Uint8Array<ArrayBuffer> | null>;
  /**
   * Whether `get` would give bytes. It reads them all.
   *
   * @throws StoreError as `get`
   */
  has(sha256: string): Promise<boolean>;
}

/**
 * A place that keeps bytes under a path such as `ab/cd/abcd….pdf`. What it throws may carry a `code`, which is shown;
 * nothing else of it is.
 */
export interface Shelf {
  /** Where it is, for messages; holds no secret. */
  readonly place: string;
  /** Resolves when a power cut can no longer take the bytes. Readers see all of them or none. */
  write(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Null when there is nothing under this path; not being able to tell is an error. */
  read(path: string): Promise<Uint8Array<ArrayBuffer> | null>;
}

export function createBlobs(shelf: Shelf | null): Blobs {
  async function ask<T>(work: (shelf: Shelf) => Promise<T>): Promise<T> {
    if (!shelf) {
      throw new StoreError(
        'config_invalid',
        'The store has no place for PDFs: open it with a data folder or with S3 beside the database.',
      );
    }
    try {
      return await work(shelf);
    } catch (error) {
      const code = (error as { code?: unknown }).code ?? 'no code';
      throw new StoreError(
        'blobs_unavailable',
        `${shelf.place} does not take or give PDFs (${code}). Check that it is there and lets you in.`,
      );
    }
  }

  async function get(sha256: string) {
    if (!/^[0-9a-f]{64}$/.test(sha256)) return null;
    const bytes = await ask(({ read }) => read(pathOf(sha256)));
    if (bytes && sha256Of(bytes) !== sha256) {
      throw new StoreError(
        'blob_damaged',
        `${shelf?.place} holds other bytes than were put under ${sha256}. Restore ${pathOf(sha256)} from a backup.`,
      );
    }
    return bytes;
  }

  return {
    async put(bytes) {
      // A copy: the caller may go on with its own bytes while these are on their way.
      const kept = new Uint8Array(bytes);
      const sha256 = sha256Of(kept);
      await ask(({ write }) => write(pathOf(sha256), kept));
      return sha256;
    },
    get,
    has: async sha256 => (await get(sha256)) !== null,
  };
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function pathOf(sha256: string): string {
  return `${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}.pdf`;
}
