/**
 * Parses untrusted JSON. Returns undefined, which no JSON text represents, if the text isn't valid JSON.
 *
 * @example tryParseJson('{"a":1}') // { a: 1 }
 */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
