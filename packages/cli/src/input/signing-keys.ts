import { readFileSync } from 'node:fs';
import { KeyError, readPublicKey, readSigningKey, type SigningKey } from '@compliance/lists';
import { CliError, fileError } from '../cli-error.ts';

/** Environment variable that contains the passphrase for encrypted private keys. */
export const PASSPHRASE = 'COMPLIANCE_LISTS_PASSPHRASE';

/**
 * Reads private keys. Encrypted keys require the passphrase in `COMPLIANCE_LISTS_PASSPHRASE`.
 *
 * @throws CliError if a file isn't a usable private key
 */
export function readSigningKeys(files: readonly string[]): SigningKey[] {
  const passphrase = process.env[PASSPHRASE];
  return files.map(file => readKey(file, pem => readSigningKey(pem, passphrase)));
}

/**
 * Reads public keys.
 *
 * @throws CliError if a file isn't a public key
 */
export function readPublicKeys(files: readonly string[]): SigningKey['key'][] {
  return files.map(file => readKey(file, readPublicKey));
}

function readKey<T>(file: string, read: (pem: string) => T): T {
  try {
    return read(readFileSync(file, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof KeyError) throw new CliError(`${file}: ${error.message}`);
    if (code === undefined) throw error;
    throw fileError(`Can't read ${file}`, error);
  }
}
