import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { KEY_SCOPES, type KeyScope } from '../key-scope.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const SHOWN_RANDOM = 6;
const SHAPE = new RegExp(`^cmpl_live_(?:${KEY_SCOPES.join('|')})_[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/**
 * Largest multiple of 62 that fits in a byte. Random bytes at or above this value are discarded, because otherwise the
 * first characters of the alphabet would occur more often.
 */
const UNBIASED_BELOW = 256 - (256 % BASE62.length);

function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < UNBIASED_BELOW && text.length < length) text += BASE62[byte % BASE62.length];
    }
  }
  return text;
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = BASE62[rest % BASE62.length] + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}

/**
 * Generates a key with 190 random bits: `cmpl_live_<scope>_<32 base62><6 base62 CRC-32 of the preceding characters>`.
 */
export function newKeyText(scope: KeyScope): string {
  const body = `cmpl_live_${scope}_${randomBase62(RANDOM_LENGTH)}`;
  return body + checksum(body);
}

/**
 * Checks whether a string has the format of a key and a correct checksum, but not whether the key exists. Use this
 * function for secret scanning, or to reject typos before querying the database. Never throws an error.
 *
 * @example
 * isWellFormedKey('cmpl_live_all_not-a-key') // false
 */
export function isWellFormedKey(text: string): boolean {
  return SHAPE.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/**
 * Returns the stored parts of a key: its SHA-256 hash in hex, and its prefix and last four characters, which help
 * people recognize the key.
 */
export function storedKeyParts(key: string): { sha256: string; prefix: string; last4: string } {
  return {
    sha256: keySha256(key),
    prefix: key.slice(0, key.length - RANDOM_LENGTH - CHECKSUM_LENGTH + SHOWN_RANDOM),
    last4: key.slice(-4),
  };
}

/** Returns a key's SHA-256 hash in hex. */
export function keySha256(key: string): string {
  return hash('sha256', key);
}
