/** How many places of one file are looked at. */
const STARTS = 200;

/** How much of the text must be the file's own, and how much is enough to know it, in characters other than blanks. */
const LEAST = 12;
const ENOUGH = 48;

/** How much of the text an output of Liquid may have printed, in characters. */
const PRINTED = 80;

/** How far apart in the file the parts of the text may stand, and how long a tag of Liquid may be, in characters. */
const SPAN = 2_000;
const TAG = 500;

/**
 * Finds where in a Liquid file a piece of a served page comes from. White space does not matter, and an output of Liquid may
 * have printed anything.
 *
 * @param snippet a line of the page from the place on, as a finding has it
 * @returns the offset, or null
 * @example locate("<script>\n  fbq('init', '{{ settings.pixel }}');", "fbq('init', '123456789012345');") // 11
 */
export function locate(source: string, snippet: string): number | null {
  // What stands behind a redaction is not the page's own text.
  const text = snippet.split(/\[(?:e-mail|phone)\]|…/, 1)[0]!.trim();
  const anchor = /^\S\w{0,5}/.exec(text)?.[0];
  if (!anchor) return null;
  let at = source.indexOf(anchor);
  for (let tries = 0; at >= 0 && tries < STARTS; tries++) {
    if (isSame(source, at, text)) return at;
    at = source.indexOf(anchor, at + 1);
  }
  return null;
}

const BLANK = /\s/;

function isSame(source: string, from: number, text: string): boolean {
  let own = 0;
  let s = from;
  let t = 0;
  let printed = 0;
  while (t < text.length && own < ENOUGH) {
    if (s >= source.length || s - from > SPAN) return false;
    if (BLANK.test(source[s]!)) s++;
    else if (BLANK.test(text[t]!)) t++;
    else if (source[s] === '{' && (source[s + 1] === '{' || source[s + 1] === '%')) {
      const close = source.slice(s, s + TAG).indexOf(source[s + 1] === '{' ? '}}' : '%}');
      if (close < 0) return false;
      printed = PRINTED;
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
  return own >= LEAST;
}
