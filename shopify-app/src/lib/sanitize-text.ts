/**
 * Makes every string safe to store and display. Pass this function to `JSON.parse` as the reviver. Databases don't
 * accept NUL characters. Truncated text can end in a lone surrogate, which the browser and the server decode as
 * different characters. This mismatch would make React render the page twice.
 *
 * @example
 * JSON.parse('{"name":"Steel\\u0000 \\ud83d"}', sanitizeText) // { name: 'Steel \ufffd' }
 */
export const sanitizeText = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value;
