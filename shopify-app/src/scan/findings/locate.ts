/** Maximum number of candidate positions per file. */
const MAX_CANDIDATES = 200;

/**
 * Number of matching characters required for a match, and the number required for a certain match. Whitespace doesn't
 * count.
 */
const MIN_MATCH = 12;
const SUFFICIENT_MATCH = 48;

/** Maximum length, in characters, of the page text that one Liquid output or tag can match. */
const MAX_OUTPUT = 80;

/** Maximum lengths, in characters: `MAX_SPAN` for a match, and `MAX_TAG` for one Liquid output or tag in the file. */
const MAX_SPAN = 2_000;
const MAX_TAG = 500;

/**
 * Finds the code in a Liquid file that rendered part of a served page. Ignores whitespace, and treats any short text as
 * a match for a Liquid output or tag.
 *
 * @param snippet text of a line in the page, starting at the finding
 * @returns offset in the file, or null if the file doesn't contain matching code
 * @example locate("<script>\n  fbq('init', '{{ settings.pixel }}');", "fbq('init', '123456789012345');") // 11
 */
export function locate(source: string, snippet: string): number | null {
  // A redaction replaces page text, so only the text before the first redaction can match.
  const text = snippet.split(/\[(?:e-?mail|phone)\]|…/, 1)[0]!.trim();
  const anchor = /^\S\w{0,5}/.exec(text)?.[0];
  if (!anchor) return null;
  let at = source.indexOf(anchor);
  for (let tries = 0; at >= 0 && tries < MAX_CANDIDATES; tries++) {
    if (matchesAt(source, at, text)) return at;
    at = source.indexOf(anchor, at + 1);
  }
  return null;
}

const BLANK = /\s/;

function matchesAt(source: string, from: number, text: string): boolean {
  let own = 0;
  let s = from;
  let t = 0;
  let printed = 0;
  while (t < text.length && own < SUFFICIENT_MATCH) {
    if (s >= source.length || s - from > MAX_SPAN) return false;
    if (BLANK.test(source[s]!)) s++;
    else if (BLANK.test(text[t]!)) t++;
    else if (source[s] === '{' && (source[s + 1] === '{' || source[s + 1] === '%')) {
      const close = source.slice(s, s + MAX_TAG).indexOf(source[s + 1] === '{' ? '}}' : '%}');
      if (close < 0) return false;
      printed = MAX_OUTPUT;
      s += close + 2;
    } else if (source[s] === text[t] && (printed === 0 || source.slice(s, s + 3) === text.slice(t, t + 3))) {
      own++;
      s++;
      t++;
      printed = 0;
    } else if (printed > 0) {
      printed--;
      t++;
    } else return false;
  }
  return own >= MIN_MATCH;
}
