import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Keeps text unreadable at rest: AES-256-GCM, bound to a name so that one row cannot stand in for another. */
export interface Seal {
  seal(text: string, name: string): string;
  /** The text, or null when no key opens it: then it is as good as lost, and asked for anew. */
  open(sealed: string, name: string): string | null;
}

/**
 * A seal of keys of 32 bytes: the first seals, all open, so a key can be replaced while old rows live.
 *
 * @example
 * const seal = createSeal([newKey, oldKey]);
 * seal.open(seal.seal('shpat_…', 'offline_a.myshopify.com'), 'offline_a.myshopify.com');
 */
export function createSeal(keys: readonly Buffer[]): Seal {
  const newest = keys[0];
  if (!newest) throw new RangeError('A seal needs a key.');
  return {
    seal(text, name) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', newest, nonce).setAAD(Buffer.from(name));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
    },
    open(sealed, name) {
      const bytes = Buffer.from(sealed, 'base64');
      for (const key of keys) {
        try {
          // Without its length a tag may be cut to four bytes, which can be guessed.
          const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 })
            .setAAD(Buffer.from(name))
            .setAuthTag(bytes.subarray(12, 28));
          return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
        } catch {
          // Sealed by another key, or not by us.
        }
      }
      return null;
    },
  };
}
