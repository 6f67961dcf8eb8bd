import type { Blobs } from '../blobs/blobs.ts';
import { StoreError } from '../errors.ts';

/** How many PDFs are on their way at once. */
const AT_ONCE = 8;

/**
 * Copies PDFs that are not there yet, or are damaged there. Gives those that the source does not have, or has damaged; all
 * others are in the target, checked against their SHA-256.
 */
export async function copyPdfs(wanted: Iterable<string>, source: Blobs, target: Blobs): Promise<string[]> {
  return await without(wanted, async sha256 => {
    if (await whole(target, sha256)) return true;
    const bytes = await whole(source, sha256);
    if (bytes) await target.put(bytes);
    return bytes !== null;
  });
}

/** Those of the PDFs that are not there as they were put. */
export async function missingPdfs(wanted: Iterable<string>, blobs: Blobs): Promise<string[]> {
  return await without(wanted, async sha256 => (await whole(blobs, sha256)) !== null);
}

async function whole(blobs: Blobs, sha256: string): Promise<Uint8Array | null> {
  try {
    return await blobs.get(sha256);
  } catch (error) {
    if (error instanceof StoreError && error.code === 'blob_damaged') return null;
    throw error;
  }
}

async function without(wanted: Iterable<string>, isThere: (sha256: string) => Promise<boolean>): Promise<string[]> {
  const lacking: string[] = [];
  const left = [...wanted].values();
  const worker = async () => {
    for (const sha256 of left) if (!(await isThere(sha256))) lacking.push(sha256);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return lacking.sort();
}
