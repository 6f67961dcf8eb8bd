/** Matches text that every shell reads literally, so it doesn't need quotation marks. */
const PLAIN = /^[\w:.-]+$/;

/**
 * Quotes text for bash, zsh, and POSIX shells.
 *
 * @example quoteForShell("it's") // `'it'\\''s'`
 */
export function quoteForShell(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * Quotes text for fish, which, unlike other shells, supports escaped quotation marks within single quotation marks.
 *
 * @example quoteForFish("it's") // `'it\\'s'`
 */
export function quoteForFish(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replace(/[\\']/g, '\\$&')}'`;
}
