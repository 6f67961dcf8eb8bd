import { type InvalidReason, invalidDigits, readMessyCode } from './messy-code.ts';

const ZERO = 48;
const NINE = 57;
const SPACE = 32;
/** Character code of the no-break space that spreadsheets insert between groups of digits. */
const NO_BREAK_SPACE = 160;
const DOT = 46;

/** Result of parsing a string as an HTS code, with either its digits or the reason it's invalid. */
export type ParsedCode = { ok: true; digits: string } | { ok: false; reason: InvalidReason };

/**
 * Parses an HTS code. A valid code has 4, 6, 8, or 10 digits and is in chapters 01 to 97 except 77. Codes in chapters
 * 98 and 99 can't be looked up because they're declared in addition to a classification code.
 *
 * Accepts any separators, quotes, full-width characters, spreadsheet numbers such as `7318152061.0`, and scientific
 * notation that preserves all digits. Text that might have lost a digit is invalid, because digits are never guessed.
 *
 * @example parseHtsCode('7318.15.2061') // { ok: true, digits: '7318152061' }
 * @example parseHtsCode('7.318152061E+09') // { ok: true, digits: '7318152061' }
 * @example parseHtsCode('302.11') // { ok: false, reason: 'length' }
 */
export function parseHtsCode(text: string): ParsedCode {
  const digits = plainDigits(text);
  if (digits !== null) return { ok: true, digits };
  const read = readMessyCode(text);
  return 'digits' in read ? { ok: true, digits: read.digits } : { ok: false, reason: read.reason };
}

/**
 * Returns the digits of a code in a common format, in which single dots or spaces separate groups with an even number
 * of digits. Returns null for all other text, which takes longer to parse.
 */
function plainDigits(text: string): string | null {
  const { length } = text;
  if (length < 4 || length > 13) return null;
  let digits = '';
  let start = 0;
  for (let i = 0; i <= length; i++) {
    const char = i < length ? text.charCodeAt(i) : DOT;
    if (char >= ZERO && char <= NINE) continue;
    if (char !== DOT && char !== SPACE && char !== NO_BREAK_SPACE) return null;
    if (i === start || ((i - start) & 1) === 1) return null;
    // `731815.00` could mean either 7318.15 or 7318.15.00.
    if (i === 6 && start === 0 && length > 6) return null;
    digits += text.slice(start, i);
    start = i + 1;
  }
  return invalidDigits(digits) === null ? digits : null;
}

/**
 * Formats digits as an HTS code, with dots.
 *
 * @example formatHtsCode('7318152061') // '7318.15.20.61'
 */
export function formatHtsCode(digits: string): string {
  if (digits.length === 10) {
    // Building the string from character codes takes half as long as joining slices, and every lookup formats a code.
    const at = (index: number) => digits.charCodeAt(index);
    return String.fromCharCode(
      ...[at(0), at(1), at(2), at(3), DOT, at(4), at(5), DOT, at(6), at(7), DOT, at(8), at(9)],
    );
  }
  if (digits.length === 8) return `${digits.slice(0, 4)}.${digits.slice(4, 6)}.${digits.slice(6)}`;
  return digits.length === 6 ? `${digits.slice(0, 4)}.${digits.slice(4)}` : digits;
}

/**
 * Returns the digits used to match an HTS number. The statistical suffix 00 means that the 8-digit subheading isn't
 * divided, so the suffix is removed.
 *
 * @example matchedDigits('8431200000') // '84312000'
 */
export function matchedDigits(digits: string): string {
  return digits.length === 10 && digits.endsWith('00') ? digits.slice(0, 8) : digits;
}

/** Returns the digits used to match a printed HTS number, such as `8431.20.00.00`. */
export function prefixOf(hts: string): string {
  return matchedDigits(hts.replaceAll('.', ''));
}
