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
    if (await isWhole(target, sha256)) return true;
    if (!(await isWhole(source, sha256))) return false;
    await target.put((await source.get(sha256))!);
    return true;
  });
}

/** Those of the PDFs that are not there as they were put. */
export async function missingPdfs(wanted: Iterable<string>, blobs: Blobs): Promise<string[]> {
  return await without(wanted, sha256 => isWhole(blobs, sha256));
}

async function isWhole(blobs: Blobs, sha256: string): Promise<boolean> {
  try {
    return await blobs.has(sha256);
  } catch (error) {
    if (error instanceof StoreError && error.code === 'blob_damaged') return false;
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
