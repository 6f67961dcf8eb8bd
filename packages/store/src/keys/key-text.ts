import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** What a key may call: one operation, or `all` three. */
export const KEY_SCOPES = ['pixel', 'entry', 'tariff', 'all'] as const;

/** One of {@link KEY_SCOPES}. */
export type KeyScope = (typeof KEY_SCOPES)[number];

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const SHOWN_RANDOM = 6;
const SHAPE = new RegExp(`^cmpl_live_(?:${KEY_SCOPES.join('|')})_[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/** The largest multiple of 62 in a byte: bytes from here on are thrown away, else the first characters come up more often. */
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

/** A new key: `cmpl_live_<scope>_<32 base62><6 base62 of the CRC-32 of all before>`, 190 random bits. */
export function newKeyText(scope: KeyScope): string {
  const body = `cmpl_live_${scope}_${randomBase62(RANDOM_LENGTH)}`;
  return body + checksum(body);
}

/**
 * Whether a text has a key's shape and its checksum is right. Offline: no key need exist. Meant for secret scanners
 * and for refusing typos before the database is asked. Any string may be passed; none throws.
 *
 * @example
 * isWellFormedKey('cmpl_live_all_not-a-key') // false
 */
export function isWellFormedKey(text: string): boolean {
  return SHAPE.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** What may be kept of a key: its SHA-256 in hex, and the two ends that let a person recognise it. */
export function keyTraces(key: string): { sha256: string; prefix: string; last4: string } {
  return {
    sha256: createHash('sha256').update(key).digest('hex'),
    prefix: key.slice(0, key.length - RANDOM_LENGTH - CHECKSUM_LENGTH + SHOWN_RANDOM),
    last4: key.slice(-4),
  };
}
