import * as z from 'zod';
import type { IssueCode } from './issues.ts';

/** Returns the parameters for a validation error with one of our codes. `issues.ts` reads the code. */
export const refuse = (code: IssueCode, message: string) => ({ message, params: { code } });

// Matches control characters, line separators, explicit directional formatting characters (which can disguise text),
// annotation characters, lone surrogates, and code points that Unicode reserves for internal use.
const FORBIDDEN = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u2028-\u202e\u2066-\u2069\ufff9-\ufffb]/u;

/** Error message for text that contains a forbidden character. */
export const FORBIDDEN_CHARACTER = 'must not contain control characters or explicit directional formatting characters';

/**
 * Returns whether text contains a character that neither {@link text} nor {@link multilineText} accepts.
 *
 * @example hasForbiddenCharacter('Road\u0000helmet') // true
 */
export const hasForbiddenCharacter = (value: string): boolean =>
  FORBIDDEN.test(value.replace(/[\t\n\r\u2028\u2029]/g, ' '));

/** Matches text that has no visible characters. */
const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{White_Space}\u2800]*$/u;

// The patterns below express the same rules in JSON Schema. Their syntax has the same meaning in ECMAScript, Python,
// and Rust: characters up to U+FFFF are escaped, characters above U+FFFF are literal, and Unicode properties aren't
// used.

const LINE_BREAKS = String.raw`\u000a\u000d\u2028\u2029`;
/** The characters that `trim` removes. */
const TRIMMED = String.raw`\u0009-\u000d\u0020\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff`;
const HIGH_NONCHARACTERS = Array.from({ length: 16 }, (_, plane) =>
  String.fromCodePoint(0x1fffe + plane * 0x10000, 0x1ffff + plane * 0x10000),
).join('');
/** The characters in `FORBIDDEN`, except line breaks, tabs, and lone surrogates, which UTF-8 can't encode. */
const FORBIDDEN_RANGES =
  String.raw`\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef\ufff9-\ufffb\ufffe\uffff` +
  HIGH_NONCHARACTERS;
/** The characters that a line of text can't contain, for use in a character class. */
export const NOT_IN_LINE = FORBIDDEN_RANGES + LINE_BREAKS;
/** The characters in `INVISIBLE`, except forbidden characters and line breaks. */
const INVISIBLE_RANGES =
  String.raw`\u0009\u0020\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u202f\u205f-\u2065\u206a-\u206f` +
  String.raw`\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8` +
  '\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}';

/**
 * Returns a pattern for text with at least one visible character. `allowed` contains the line break characters that are
 * allowed in the text, and `refused` contains the ones that aren't.
 */
const textPattern = ({ allowed = '', refused = '' }) =>
  `^[${TRIMMED}]*[${INVISIBLE_RANGES}${allowed}]*[^${FORBIDDEN_RANGES}${INVISIBLE_RANGES}${LINE_BREAKS}]` +
  `[^${FORBIDDEN_RANGES}${refused}]*[${TRIMMED}]*$`;

/**
 * JSON Schema pattern for the text that {@link text} accepts, regardless of its length.
 *
 * @example new RegExp(LINE_PATTERN, 'u').test('Road\u0000helmet') // false
 */
export const LINE_PATTERN = textPattern({ refused: LINE_BREAKS });

/**
 * JSON Schema pattern for the text that {@link multilineText} accepts, regardless of its length.
 *
 * @example new RegExp(LINES_PATTERN, 'u').test('410 Alder Street\nPortland') // true
 */
export const LINES_PATTERN = textPattern({ allowed: LINE_BREAKS });

/**
 * Returns a schema for text that a person enters. The schema trims text, normalizes it to Unicode NFC, and converts
 * tabs (common in text pasted from spreadsheets) to spaces. The text must have 1 to `limit` characters (code points)
 * and can't contain control characters or explicit directional formatting characters.
 */
export const text = (limit: number) => visibleText(limit, LINE_PATTERN, value => value);

/** Returns a schema for text that can have several lines, such as an address. The lines are joined with commas. */
export const multilineText = (limit: number) => visibleText(limit, LINES_PATTERN, joinLines);

/**
 * Joins lines in linear time. The text's length hasn't been limited yet, so a regular expression that backtracks over
 * spaces could take minutes.
 */
function joinLines(value: string): string {
  const [first = '', ...others] = value.split(/[\n\r\u2028\u2029]/);
  if (others.length === 0) return value;
  return (
    [first, ...others]
      .map(withoutTrailingCommas)
      // Joining invisible lines with a comma would turn invisible text into visible text.
      .filter(line => !INVISIBLE.test(line) || FORBIDDEN.test(line))
      .join(', ')
  );
}

function withoutTrailingCommas(line: string): string {
  let end = line.length;
  while (end > 0 && /[,;\s]/.test(line[end - 1]!)) end--;
  return line.slice(0, end).trimStart();
}

const visibleText = (limit: number, pattern: string, convert: (value: string) => string) =>
  z
    .string()
    .overwrite(value => convert(value.normalize('NFC').replaceAll('\t', ' ').trim()))
    .superRefine((value, context) => {
      const issue = (code: IssueCode, message: string) =>
        context.addIssue({ code: 'custom', ...refuse(code, message) });
      if (INVISIBLE.test(value)) issue('REQUIRED', 'must not be empty');
      else if ([...value].length > limit) issue('TOO_LONG', `must have at most ${limit} characters`);
      else if (FORBIDDEN.test(value)) issue('INVALID_CHARACTER', FORBIDDEN_CHARACTER);
    })
    .meta({ minLength: 1, maxLength: limit, pattern });

/** Yields each text value in a request, along with the value's dotted path. */
export function* textsOf(value: unknown, path: string): Iterable<[path: string, text: string]> {
  if (typeof value === 'string') yield [path, value];
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) yield* textsOf(inner, path ? `${path}.${key}` : key);
  }
}
