/**
 * Matches the start of the configuration in a container file. Google serves the configuration as
 * `var data = {"resource": …}` before its library code. A license comment and, for some features, a short script
 * precede the configuration.
 */
const START = /\bvar\s{1,20}data\s{0,20}=\s{0,20}(?=\{\s{0,20}"resource"\s{0,20}:)/;
/** Number of characters to search at the start of the file. */
const SEARCHED = 20_000;
/** Maximum length of a configuration. Google limits a container to a few hundred kilobytes. */
const MAX_LENGTH = 4_000_000;

/** Returns whether a script is a Tag Manager container or a Google tag, regardless of its URL. */
export const isContainerSource = (source: string): boolean => START.test(source.slice(0, SEARCHED));

/** A container's configuration as parsed JSON, and the offset where the library code starts. */
export interface ConfigLiteral {
  readonly data: unknown;
  readonly end: number;
}

/**
 * Extracts the configuration from a container file. If the file doesn't contain a readable configuration, returns the
 * reason as a string. Runs in linear time.
 */
export function readConfigLiteral(source: string): ConfigLiteral | string {
  const start = START.exec(source.slice(0, SEARCHED));
  if (!start) return 'the file has no container configuration';
  const from = start.index + start[0].length;
  const end = endOfObject(source, from);
  if (end === null)
    return source.length - from > MAX_LENGTH ? 'the configuration is too large' : 'the configuration is incomplete';
  try {
    return { data: JSON.parse(source.slice(from, end)), end };
  } catch {
    return "the configuration isn't valid JSON";
  }
}

/** Returns the offset after the object that starts at `from`, or `null` if the object is incomplete or too large. */
function endOfObject(source: string, from: number): number | null {
  const last = Math.min(source.length, from + MAX_LENGTH);
  let depth = 0;
  let inString = false;
  for (let at = from; at < last; at++) {
    const code = source.charCodeAt(at);
    if (inString) {
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++;
    else if ((code === CLOSE_BRACE || code === CLOSE_BRACKET) && --depth === 0) return at + 1;
  }
  return null;
}

const [QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [...'"\\{}[]'].map(character =>
  character.charCodeAt(0),
);
