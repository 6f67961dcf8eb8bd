/**
 * For `JSON.parse`: every text as it can be kept and shown. Databases take no NUL, and half of a letter, which is left where a
 * text was cut, is another letter to a browser than to the server, so that a page would be made twice.
 *
 * @example
 * JSON.parse('{"name":"Steel\\u0000 \\ud83d"}', plain) // { name: 'Steel \ufffd' }
 */
export const plain = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value;
