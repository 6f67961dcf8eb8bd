/** Reason why a string isn't an HTS code that can be looked up. */
export type InvalidReason =
  | 'empty'
  | 'character'
  | 'length'
  | 'too_long'
  | 'decimal'
  | 'lost_digits'
  | 'placeholder'
  | 'ambiguous'
  | 'chapter'
  | 'special_chapter';

/**
 * Result of reading a code from messy text: either the digits of the code, or the reason the text is invalid and the
 * possible corrections.
 */
export type MessyCode = { readonly digits: string } | InvalidCode;

/** Text that isn't a valid code. */
export interface InvalidCode {
  readonly reason: InvalidReason;
  /** The digits in the text, in order. */
  readonly present: string;
  /** Digits of possible corrections. The corrected codes might not exist. */
  readonly possible: readonly string[];
  /**
   * The range of 10-digit numbers (excluding `high`) that a value in scientific notation could represent after losing
   * digits. Null if the text doesn't determine a range.
   */
  readonly range: readonly [low: string, high: string] | null;
}

/** Maximum length of text that can be a code. Longer text isn't analyzed. */
const MAX_LENGTH = 64;

/** Matches quotes, brackets, and spreadsheet text markers before a code, as in `'7318` and `="7318"`. */
const LEADING_MARKS = /^[\s"'=#([<“”„‘’‚«»‹›`´＂＇＝]+/;
const TRAILING_MARKS = /[\s"')\]>;,“”‘’«»‹›`´＂＇]+$/;
const LABEL = /^(?:US )?(?:HTSUS|HTS|HS)(?: ?(?:code|number|no\.?|#))? ?[:#]? ?(?=\d)/i;

const SCIENTIFIC = /^(\d+)(?:[.,](\d+))? ?E ?\+?(\d{1,2})$/i;
/** Matches a whole number followed by decimal zeros, such as `7318152061.0` or `7,318,152,061.00`. */
const ZERO_FRACTION = /^(?:(\d+)|(\d{1,3}(?:,\d{3})+|\d{1,3}(?:\.\d{3})+(?=,)|\d{1,3}(?:[ '’_]\d{3})+))[.,](0+)$/;
const SEPARATORS = /[\s\p{Pd}._,;:/\\|'’‘·•−]+/u;
const CODE_CHARACTERS = /^[\d\s\p{Pd}._,;:/\\|'’‘·•−]+$/u;
/** Matches characters that represent missing digits, as in `7318.15.__` and `7318…`. */
const PLACEHOLDER = /[-–—_]{2,}|\.{3,}|\.{2,}$/;
/** Matches superscripts and circled digits, which are treated as footnote marks instead of digits. */
const FOOTNOTE_MARK = /\p{No}/gu;

/**
 * Reads an HTS code in any form that spreadsheets, databases, or people commonly produce. The code can have any
 * separators, be in full-width characters or quotes, or follow a label. The code can also be a whole number followed by
 * decimal zeros, or a number in scientific notation that preserves all digits. Digits are never guessed: text that
 * might have lost a digit is invalid.
 *
 * @example readMessyCode('7.318152061E+09') // { digits: '7318152061' }
 * @example readMessyCode('302.11') // { reason: 'length', present: '30211', possible: ['030211'], range: null }
 */
export function readMessyCode(text: string): MessyCode {
  const trimmed = text.trim();
  if (trimmed === '') return invalid('empty', '');
  if (trimmed.length > MAX_LENGTH) return invalid(/\d/.test(trimmed) ? 'too_long' : 'character', '');
  if (trimmed.search(FOOTNOTE_MARK) >= 0) return withCorrection(trimmed.replace(FOOTNOTE_MARK, ''), trimmed);
  const unquoted = trimmed
    .replace(/\p{Cf}/gu, '')
    .replace(LEADING_MARKS, '')
    .replace(TRAILING_MARKS, '');
  const plain = unquoted.normalize('NFKC').trim().replace(LABEL, '');
  if (plain === '') return invalid('empty', '');
  const scientific = SCIENTIFIC.exec(plain);
  if (scientific) return readScientific(scientific[1]!, scientific[2] ?? '', Number(scientific[3]));
  return readDecimal(plain) ?? readGroups(plain);
}

/**
 * Returns the reason that digits can't be an HTS code, or null if the digits are valid. A valid code is in chapters 01
 * to 97 except 77 and has 4, 6, 8, or 10 digits.
 *
 * @example invalidDigits('7701') // 'chapter'
 */
export function invalidDigits(digits: string): InvalidReason | null {
  if (digits.length > 10) return 'too_long';
  if (digits.length < 4 || digits.length % 2 === 1) return 'length';
  const chapter = digits.slice(0, 2);
  if (chapter === '00' || chapter === '77') return 'chapter';
  return chapter >= '98' ? 'special_chapter' : null;
}

function invalid(reason: InvalidReason, present: string, possible: readonly string[] = []): InvalidCode {
  const valid = possible.filter(digits => invalidDigits(digits) === null);
  return { reason, present, possible: [...new Set(valid)], range: null };
}

function checked(digits: string, possible: readonly string[] = []): MessyCode {
  const reason = invalidDigits(digits);
  return reason ? invalid(reason, digits, possible) : { digits };
}

/** Returns an invalid result for text with an invalid character, and suggests the code in the corrected text. */
function withCorrection(corrected: string, text: string): MessyCode {
  const read = corrected === text ? null : readMessyCode(corrected);
  return invalid('character', '', read && 'digits' in read ? [read.digits] : []);
}

function readScientific(whole: string, fraction: string, exponent: number): MessyCode {
  if (fraction.length >= exponent) {
    const rest = fraction.slice(exponent);
    const digits = whole + fraction.slice(0, exponent);
    const text = rest === '' ? digits : `${digits}.${rest}`;
    return readDecimal(text) ?? readGroups(text);
  }
  const known = (whole + fraction).replace(/^0+/, '');
  const length = known.length + exponent - fraction.length;
  // A single missing digit is either a trailing zero that the number format omitted or a lost digit.
  const possible = fraction.length === exponent - 1 ? [`${known}0`, `0${known}0`] : [];
  const lost = invalid('lost_digits', known, possible);
  if (known === '' || known.length > 10 || (length !== 9 && length !== 10)) return lost;
  const step = 10 ** (length - known.length);
  const low = Math.max(0, (Number(known) - 0.5) * step);
  const high = Math.min(9_999_999_999, (Number(known) + 0.5) * step);
  return { ...lost, range: [`${low}`.padStart(10, '0'), `${high}`.padStart(10, '0')] };
}

/** Reads a whole number followed by decimal zeros, or returns null if the text has another format. */
function readDecimal(text: string): MessyCode | null {
  const match = ZERO_FRACTION.exec(text);
  if (!match) return null;
  const [, ungrouped, grouped = '', zeros = ''] = match;
  const whole = ungrouped ?? grouped.replace(/\D/g, '');
  const both = whole + zeros;
  if (whole.length % 2 === 1) return invalid('decimal', both, [`0${whole}`, `0${whole}${zeros}`]);
  // `7303.00` is a code in HTS format, but `731815.00` could mean either 7318.15 or 7318.15.00.
  if (ungrouped !== undefined && invalidDigits(both) === null) {
    return whole.length === 6 ? invalid('ambiguous', both, [whole, both]) : { digits: both };
  }
  return checked(whole);
}

function readGroups(text: string): MessyCode {
  if (!CODE_CHARACTERS.test(text)) {
    const digitsForLetters = text.replace(/o/gi, '0').replace(/[li]/gi, '1');
    const [run = ''] = /\d[\d.  -]*\d/.exec(text) ?? [];
    return CODE_CHARACTERS.test(digitsForLetters) ? withCorrection(digitsForLetters, text) : withCorrection(run, text);
  }
  const groups = text.split(SEPARATORS).filter(group => group !== '');
  const digits = groups.join('');
  if (digits === '') return invalid('character', '');
  if (PLACEHOLDER.test(text)) return invalid('placeholder', digits, [digits]);
  const [first, second] = groups as [string, string?];
  if (second !== undefined && groups.length === 2) {
    const isDot = /^\d+\.\d+$/.test(text);
    const zero = second.length % 2 === 1 ? '0' : '';
    // `302.1` is 0302.10 without its leading and trailing zeros, not heading 3021. `731,815` is a whole number with a
    // thousands separator.
    if (first.length % 2 === 1 && (isDot || second.length !== 3)) {
      return invalid(digits.length % 2 === 1 ? 'length' : 'decimal', digits, [
        `0${digits}${zero}`,
        ...(second.length === 3 ? [digits] : []),
      ]);
    }
    // `8471/8473` and `8471-8473` each refer to two headings.
    if (first.length === 4 && second.length === 4 && !/^\d+[.\s]+\d+$/.test(text)) {
      return invalid('ambiguous', digits, [first, second, digits]);
    }
  }
  return checked(digits, completed(groups));
}

/** Returns possible corrections: the digits with a missing zero restored or an extra zero removed. */
function completed(groups: readonly string[]): string[] {
  const digits = groups.join('');
  if (digits.length === 11 && groups.length === 1) {
    return [
      ...(digits.startsWith('0') ? [digits.slice(1)] : []),
      ...(digits.endsWith('0') ? [digits.slice(0, 10)] : []),
    ];
  }
  const odd = groups.filter(group => group.length % 2 === 1);
  if (odd.length !== 1) return groups.length === 1 ? [] : [`0${digits}`];
  const index = groups.indexOf(odd[0]!);
  const join = (group: string) => groups.with(index, group).join('');
  if (index === 0) return [join(`0${odd[0]}`)];
  return [
    ...(index === groups.length - 1 ? [join(`${odd[0]}0`)] : []),
    ...(odd[0]!.length === 1 ? [join(`0${odd[0]}`)] : []),
  ];
}
