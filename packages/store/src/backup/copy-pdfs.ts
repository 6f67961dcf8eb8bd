import type { Blobs } from '../blobs/blobs.ts';
import { StoreError } from '../errors.ts';

/** Number of PDFs to copy concurrently. */
const AT_ONCE = 8;

/**
 * Copies PDFs that are missing or damaged in the target. Returns the SHA-256 hash of each PDF that is also missing or
 * damaged in the source and therefore can't be copied. After a successful call, the target contains all other PDFs,
 * and each copy matches its SHA-256 hash.
 */
export async function copyPdfs(wanted: Iterable<string>, source: Blobs, target: Blobs): Promise<string[]> {
  return await without(wanted, async sha256 => {
    if (await whole(target, sha256)) return true;
    const bytes = await whole(source, sha256);
    if (bytes) await target.put(bytes);
    return bytes !== null;
  });
}

/** Returns the SHA-256 hash of each PDF that is missing or damaged. */
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
  const missing: string[] = [];
  const left = [...wanted].values();
  const worker = async () => {
    for (const sha256 of left) if (!(await isThere(sha256))) missing.push(sha256);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return missing.sort();
}
