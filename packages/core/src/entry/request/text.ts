import * as z from 'zod';
import type { IssueCode } from './issues.ts';

/** Returns the parameters for a validation error with one of our codes. `issues.ts` reads the code. */
export const refuse = (code: IssueCode, message: string) => ({ message, params: { code } });

// Matches control characters, line separators, direction overrides that can disguise text, lone surrogates, and code
// points that Unicode reserves for internal use.
const FORBIDDEN = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u2028-\u202e\u2066-\u2069\ufff9-\ufffb]/u;

/** Matches text without a visible character. */
const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{White_Space}\u2800]*$/u;

/**
 * Returns a schema for text that a person enters. The text is trimmed and normalized to Unicode NFC, and tabs, as in text
 * pasted from a spreadsheet, become spaces. The text must have
 * 1 to `limit` characters (code points) and can't contain control characters or direction overrides.
 */
export const text = (limit: number) => visibleText(limit, value => value);

/** Returns a schema for a text that can have several lines, such as an address. The lines are joined with commas. */
export const multilineText = (limit: number) => visibleText(limit, joinLines);

/**
 * Joins lines in linear time. The text can have any length at this point, so a pattern that backtracks over spaces could
 * take minutes.
 */
function joinLines(value: string): string {
  const [first = '', ...others] = value.split(/[\n\r\u2028\u2029]/);
  if (others.length === 0) return value;
  return [first, ...others]
    .map(withoutTrailingCommas)
    .filter(line => line !== '')
    .join(', ');
}

function withoutTrailingCommas(line: string): string {
  let end = line.length;
  while (end > 0 && /[,;\s]/.test(line[end - 1]!)) end--;
  return line.slice(0, end).trimStart();
}

const visibleText = (limit: number, convert: (value: string) => string) =>
  z
    .string()
    .overwrite(value => convert(value.normalize('NFC').replaceAll('\t', ' ').trim()))
    .superRefine((value, context) => {
      const issue = (code: IssueCode, message: string) =>
        context.addIssue({ code: 'custom', ...refuse(code, message) });
      if (INVISIBLE.test(value)) issue('REQUIRED', 'must not be empty');
      else if ([...value].length > limit) issue('TOO_LONG', `must have at most ${limit} characters`);
      else if (FORBIDDEN.test(value))
        issue('INVALID_CHARACTER', 'must not contain control characters or direction overrides');
    })
    .meta({ minLength: 1, maxLength: limit });

/** Yields each text value in a request, along with the value's dotted path. */
export function* textsOf(value: unknown, path: string): Iterable<[path: string, text: string]> {
  if (typeof value === 'string') yield [path, value];
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) yield* textsOf(inner, path ? `${path}.${key}` : key);
  }
}
