const KIBIBYTE = 1024;
const MEBIBYTE = KIBIBYTE * KIBIBYTE;

/** Formats a size limit in the largest unit that divides it evenly. @example byteSize(256 * 1024) // '256 KiB' */
export function byteSize(bytes: number): string {
  if (bytes % MEBIBYTE === 0) return `${bytes / MEBIBYTE} MiB`;
  return bytes % KIBIBYTE === 0 ? `${bytes / KIBIBYTE} KiB` : `${bytes} bytes`;
}
