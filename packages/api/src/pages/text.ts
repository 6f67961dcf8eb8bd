import { z } from 'zod';

// Control characters break terminals and databases; direction marks make a text read as another.
const INVISIBLE = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** One line of a form: well-formed, NFC, without control characters, trimmed, at most `max` characters. */
export function line(max: number) {
  return z
    .string()
    .transform(clean)
    .pipe(z.string().max(max, `At most ${max} characters, please.`));
}

/** The same with line breaks. */
export function lines(max: number) {
  return z
    .string()
    .transform(text => text.replace(/\r\n?/g, '\n').split('\n').map(clean).join('\n').trim())
    .pipe(z.string().max(max, `At most ${max} characters, please.`));
}

function clean(text: string): string {
  return text.toWellFormed().normalize('NFC').replace(INVISIBLE, ' ').trim();
}
