import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/**
 * Encrypts and decrypts text at rest with AES-256-GCM. Each ciphertext is bound to a name, so it can't be decrypted
 * under another name.
 */
export interface Seal {
  seal(text: string, name: string): string;
  /**
   * Returns the decrypted text, or null if no key decrypts the ciphertext. If the result is null, the caller must
   * request a new token.
   */
  open(sealed: string, name: string): string | null;
}

/**
 * Creates a seal from 32-byte keys. The first key encrypts, and every key can decrypt, so the operator can rotate keys
 * while some rows are still encrypted with an old key.
 *
 * @example
 * const seal = createSeal([newKey, oldKey]);
 * seal.open(seal.seal('shpat_…', 'offline_a.myshopify.com'), 'offline_a.myshopify.com');
 */
export function createSeal(keys: readonly Buffer[]): Seal {
  const newest = keys[0];
  if (!newest) throw new RangeError('At least one encryption key is required.');
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
          // Without a fixed tag length, an attacker could submit a four-byte tag, which is short enough to guess.
          const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 })
            .setAAD(Buffer.from(name))
            .setAuthTag(bytes.subarray(12, 28));
          return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
        } catch {
          // The text was encrypted with a different key or wasn't encrypted by this app.
        }
      }
      return null;
    },
  };
}
