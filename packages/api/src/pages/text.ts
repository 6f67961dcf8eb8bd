import { z } from 'zod';

// Control characters and line separators can break terminals and databases, and bidirectional marks can disguise text.
const INVISIBLE = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Creates the schema for a single-line form field. The value is converted to well-formed NFC text without control
 * characters or surrounding whitespace, and can contain up to `max` characters.
 */
export function singleLine(max: number) {
  return z
    .string()
    .transform(clean)
    .pipe(z.string().max(max, `Use at most ${max} characters.`));
}

/** Creates the schema for a multiline form field. Each line is sanitized like a single-line value. */
export function multiLine(max: number) {
  return z
    .string()
    .transform(text => text.replace(/\r\n?/g, '\n').split('\n').map(clean).join('\n').trim())
    .pipe(z.string().max(max, `Use at most ${max} characters.`));
}

function clean(text: string): string {
  return text.toWellFormed().normalize('NFC').replace(INVISIBLE, ' ').trim();
}
