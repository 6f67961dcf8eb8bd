/** Text that no shell changes, so it needs no quotation marks. */
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
 * Quotes text for fish, which supports escaped quotation marks within single quotation marks, unlike other shells.
 *
 * @example quoteForFish("it's") // `'it\\'s'`
 */
export function quoteForFish(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replace(/[\\']/g, '\\$&')}'`;
}
