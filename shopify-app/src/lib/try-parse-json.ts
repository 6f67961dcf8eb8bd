/**
 * Parses untrusted JSON. If the text isn't valid JSON, returns undefined, which isn't a possible JSON value.
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
