import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * Returns the SHA-256 hash of a data set: the hash of its compact JSON text without the `sha256` field.
 *
 * @example hashOf({ ...DATASET, caveats: {} }) === DATASET.sha256 // false
 */
export function hashOf(dataset: object): string {
  const { sha256: _, ...content } = dataset as { sha256?: unknown };
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify(content))));
}
