const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Base64 values by character code. The value is 64 if the character isn't in the base64 alphabet. */
const VALUES = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = ALPHABET.indexOf(String.fromCharCode(code));
  return value < 0 ? 64 : value;
});

/**
 * Decodes base64 with padding, or returns null if the text is empty or isn't base64. The text can be many megabytes
 * long, so it's never matched against a regular expression.
 *
 * @example bytesOf('JVBERi0=') // the bytes of `%PDF-`
 */
export function bytesOf(base64: string): Uint8Array | null {
  const { length } = base64;
  if (length === 0 || length % 4 !== 0) return null;
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  const bytes = new Uint8Array((length / 4) * 3 - padding);
  const digits = length - padding;
  for (let at = 0, to = 0; at < length; at += 4) {
    let bits = 0;
    for (let letter = at; letter < at + 4; letter++) {
      const value = letter < digits ? (VALUES[base64.charCodeAt(letter)] ?? 64) : 0;
      if (value === 64) return null;
      bits = (bits << 6) | value;
    }
    for (let shift = 16; shift >= 0 && to < bytes.length; shift -= 8) bytes[to++] = (bits >> shift) & 0xff;
  }
  return bytes;
}

/** Encodes bytes as base64 with padding. @example base64Of(Uint8Array.of(0x25)) // 'JQ==' */
export function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const bits = (bytes[at]! << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    const letters = [18, 12, 6, 0].map(shift => ALPHABET[(bits >> shift) & 63]!).join('');
    text += at + 2 < bytes.length ? letters : letters.slice(0, bytes.length - at + 1).padEnd(4, '=');
  }
  return text;
}
