import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { canonicalize } from '@tufjs/canonical-json';
import { Key, Signature } from '@tufjs/models';

/** Error thrown for a key file that can't be used. */
export class KeyError extends Error {
  override name = 'KeyError';
}

/** An Ed25519 key that can sign metadata. */
export interface SigningKey {
  /** The public part of the key, as it appears in the root metadata. */
  readonly key: Key;
  /** Signs bytes. */
  readonly sign: (bytes: Buffer) => Signature;
}

/**
 * Creates an Ed25519 key.
 *
 * @param passphrase encrypts the private key, if set
 * @returns the private key and the public key as PEM text
 * @example createSigningKey().publicKey.startsWith('-----BEGIN PUBLIC KEY-----') // true
 */
export function createSigningKey(passphrase?: string): { privateKey: string; publicKey: string } {
  const encryption = passphrase === undefined ? {} : { cipher: 'aes-256-cbc', passphrase };
  return generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem', ...encryption },
  });
}

/**
 * Reads a private key from PEM text.
 *
 * @throws KeyError if the text isn't an Ed25519 private key, or if the passphrase is missing or wrong
 */
export function readSigningKey(pem: string, passphrase?: string): SigningKey {
  let secret: KeyObject;
  try {
    secret = createPrivateKey({ key: pem, format: 'pem', ...(passphrase !== undefined && { passphrase }) });
  } catch (error) {
    const isEncrypted = pem.includes('ENCRYPTED') || (error as { code?: string }).code === 'ERR_MISSING_PASSPHRASE';
    throw new KeyError(
      isEncrypted
        ? 'The key is encrypted, and its passphrase is missing or wrong.'
        : "This isn't a private key in PEM format.",
    );
  }
  const key = keyOf(createPublicKey(secret));
  return { key, sign: bytes => new Signature({ keyID: key.keyID, sig: sign(null, bytes, secret).toString('hex') }) };
}

/**
 * Reads a public key from PEM text.
 *
 * @throws KeyError if the text isn't an Ed25519 public key
 */
export function readPublicKey(pem: string): Key {
  if (!pem.includes('BEGIN PUBLIC KEY')) throw new KeyError("This isn't a public key in PEM format.");
  try {
    return keyOf(createPublicKey(pem));
  } catch (error) {
    if (error instanceof KeyError) throw error;
    throw new KeyError("This isn't a public key in PEM format.");
  }
}

/** Returns a public key in the metadata format. The ID is the hash of the key, so equal keys have equal IDs. */
function keyOf(publicKey: KeyObject): Key {
  if (publicKey.asymmetricKeyType !== 'ed25519') throw new KeyError('The key must be an Ed25519 key.');
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex');
  const fields = { keytype: 'ed25519', scheme: 'ed25519', keyval: { public: raw } };
  const keyID = createHash('sha256').update(canonicalize(fields)).digest('hex');
  return new Key({ keyID, keyType: 'ed25519', scheme: 'ed25519', keyVal: { public: raw } });
}
