import type { BlobFiles } from '@compliance/store';
import { MAX_INPUT_BYTES } from './bulk-operations.ts';
import { fileTooLarge } from './input-errors.ts';
import { uploadName } from './job-files.ts';

/** A file stored in chunks, so any byte range can be read without loading the whole file. */
export interface StoredUpload {
  readonly size: number;
  /**
   * Returns the bytes from `start` up to, but not including, `end`. @throws RangeError if the file ends before `end`
   */
  read(start: number, end: number): Promise<Uint8Array>;
  remove(): Promise<void>;
}

/** Size of a chunk in bytes. */
const CHUNK_BYTES = 8 * 2 ** 20;

/**
 * Stores a file while it's being received. If the upload fails, removes the stored chunks.
 *
 * @throws ApiError `body_too_large`
 * @example const file = await storeUpload(store.blobs.files, { id, upload }, body);
 */
export async function storeUpload(
  files: BlobFiles,
  { id, upload }: { readonly id: string; readonly upload: string },
  body: AsyncIterable<Uint8Array>,
): Promise<StoredUpload> {
  const nameOf = (chunk: number) => uploadName(id, upload, chunk);
  let [size, chunks] = [0, 0];
  let chunk = new Uint8Array(CHUNK_BYTES);
  const remove = async () => {
    for (let number = 0; number <= chunks; number++) await files.remove(nameOf(number)).catch(() => {});
  };
  const flush = async () => {
    const length = size - chunks * CHUNK_BYTES;
    if (length === 0) return;
    await files.write(nameOf(chunks), chunk.subarray(0, length));
    chunk = new Uint8Array(CHUNK_BYTES);
    chunks++;
  };
  try {
    for await (const received of body) {
      if (size + received.length > MAX_INPUT_BYTES) throw fileTooLarge();
      for (let taken = 0; taken < received.length; ) {
        const at = size - chunks * CHUNK_BYTES;
        const part = received.subarray(taken, taken + CHUNK_BYTES - at);
        chunk.set(part, at);
        taken += part.length;
        size += part.length;
        if (at + part.length === CHUNK_BYTES) await flush();
      }
    }
    await flush();
  } catch (error) {
    await remove();
    throw error;
  }
  let last: { number: number; bytes: Uint8Array } | null = null;
  const chunkOf = async (number: number) => {
    if (last?.number !== number) {
      const bytes = await files.read(nameOf(number));
      if (!bytes) throw new Error(`Chunk ${number} of an upload is missing.`);
      last = { number, bytes };
    }
    return last.bytes;
  };
  return {
    size,
    async read(start, end) {
      if (!(start >= 0 && start <= end && end <= size))
        throw new RangeError('The range extends beyond the end of the file.');
      const bytes = new Uint8Array(end - start);
      for (let at = start; at < end; ) {
        const number = Math.floor(at / CHUNK_BYTES);
        const from = at - number * CHUNK_BYTES;
        const part = (await chunkOf(number)).subarray(from, from + end - at);
        bytes.set(part, at - start);
        at += part.length;
      }
      return bytes;
    },
    remove,
  };
}
