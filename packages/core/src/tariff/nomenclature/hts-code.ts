const ZERO = 48;
const NINE = 57;
const SPACE = 32;
/** Spreadsheets put it between groups of digits. */
const NO_BREAK_SPACE = 160;
const DOT = 46;

/** Why a text is not an HTS code that can be looked up. */
export type InvalidReason = 'empty' | 'character' | 'length' | 'chapter' | 'special_chapter';

/** A text read as an HTS code: its digits, or why there are none. */
export type ParsedCode = { ok: true; digits: string } | { ok: false; reason: InvalidReason };

const INVALID: Record<InvalidReason, ParsedCode> = {
  empty: { ok: false, reason: 'empty' },
  character: { ok: false, reason: 'character' },
  length: { ok: false, reason: 'length' },
  chapter: { ok: false, reason: 'chapter' },
  special_chapter: { ok: false, reason: 'special_chapter' },
};

/**
 * Reads an HTS code: 4, 6, 8 or 10 digits, with dots, spaces or neither, of a chapter from 01 to 97 but 77.
 * Chapters 98 and 99 hold special provisions that are declared beside a classification, so they cannot be looked up.
 *
 * @example parseHtsCode('7318.15.2061') // { ok: true, digits: '7318152061' }
 * @example parseHtsCode('abc') // { ok: false, reason: 'character' }
 */
export function parseHtsCode(text: string): ParsedCode {
  const trimmed = text.trim();
  let digits = '';
  let start = 0;
  for (let i = 0; i <= trimmed.length; i++) {
    const char = i < trimmed.length ? trimmed.charCodeAt(i) : DOT;
    if (char >= ZERO && char <= NINE) continue;
    if (char !== DOT && char !== SPACE && char !== NO_BREAK_SPACE) return INVALID.character;
    digits += trimmed.slice(start, i);
    if (digits.length > 10) return INVALID.length;
    start = i + 1;
  }
  if (digits.length === 0) return trimmed.length === 0 ? INVALID.empty : INVALID.character;
  if (digits.length < 4 || digits.length % 2 === 1) return INVALID.length;
  const chapter = (digits.charCodeAt(0) - ZERO) * 10 + digits.charCodeAt(1) - ZERO;
  if (chapter === 0 || chapter === 77) return INVALID.chapter;
  if (chapter >= 98) return INVALID.special_chapter;
  return { ok: true, digits };
}

/**
 * Writes digits with dots, as the HTS prints them.
 *
 * @example formatHtsCode('7318152061') // '7318.15.20.61'
 */
export function formatHtsCode(digits: string): string {
  if (digits.length === 10) {
    return `${digits.slice(0, 4)}.${digits.slice(4, 6)}.${digits.slice(6, 8)}.${digits.slice(8)}`;
  }
  if (digits.length === 8) return `${digits.slice(0, 4)}.${digits.slice(4, 6)}.${digits.slice(6)}`;
  return digits.length === 6 ? `${digits.slice(0, 4)}.${digits.slice(4)}` : digits;
}

/**
 * The digits by which a number is matched: a statistical suffix 00 means that its eight-digit subheading is not divided,
 * so the number is the subheading itself.
 *
 * @example matchedDigits('8431200000') // '84312000'
 */
export function matchedDigits(digits: string): string {
  return digits.length === 10 && digits.endsWith('00') ? digits.slice(0, 8) : digits;
}

/** The prefix by which a number as printed (`8431.20.00.00`) is matched. */
export function prefixOf(hts: string): string {
  return matchedDigits(hts.replaceAll('.', ''));
}
