/** Letter used in placeholders for Liquid output. The letter is a valid JavaScript identifier that themes don't use. */
export const PLACEHOLDER = 'ʟ';

const OPEN = /\{[{%]/g;
const NAME = /-?[ \t\r\n]{0,100}(#|\w+)/y;

/** Liquid blocks that output nothing or output only non-executable text. */
const NON_PRINTING = new Set(['comment', 'doc', 'schema', 'stylesheet']);

/** Part of a theme file: text outside Liquid, or Liquid code with its mask. */
interface Part {
  readonly from: number;
  readonly to: number;
  /** Text that replaces Liquid code, or null for text outside Liquid. */
  readonly mask: string | null;
}

/**
 * Masks the Liquid code in a theme file so that the rest of the file can be parsed as HTML. All line breaks and all
 * text outside Liquid keep their positions, so a match in the masked text has the same line and column in the file.
 *
 * A Liquid output expression becomes an identifier of {@link PLACEHOLDER} characters, which represents an unknown value
 * in a script. Tags, comments, and schemas are replaced with spaces. `{% raw %}` blocks keep their content, and
 * `{% javascript %}` blocks become scripts. All branches of a conditional are kept, because there's no way to know
 * which branch a shopper sees.
 *
 * @example maskLiquid("fbq('init', '{{ id }}');{% if a %}x{% endif %}") // "fbq('init', 'ʟʟʟʟʟʟʟʟ');          x           "
 */
export const maskLiquid = (source: string): string =>
  [...partsOf(source)].map(({ from, to, mask }) => mask ?? source.slice(from, to)).join('');

/** Range of Liquid code in a theme file. `to` is the offset after the last character. */
export interface LiquidRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the ranges that {@link maskLiquid} masks, in order.
 *
 * @example liquidRanges('a{{ b }}c') // [{ from: 1, to: 8 }]
 */
export const liquidRanges = (source: string): readonly LiquidRange[] =>
  [...partsOf(source)].filter(({ mask }) => mask !== null);

function* partsOf(source: string): Generator<Part> {
  let at = 0;
  const keepUntil = (to: number): Part => {
    const from = at;
    at = to;
    return { from, to, mask: null };
  };
  const replaceUntil = (to: number, replacement: (text: string) => string): Part => {
    const from = at;
    at = to;
    return { from, to, mask: replacement(source.slice(from, to)) };
  };
  for (;;) {
    OPEN.lastIndex = at;
    const open = OPEN.exec(source)?.index;
    if (open === undefined) break;
    yield keepUntil(open);
    const isTag = source[open + 1] === '%';
    const close = source.indexOf(isTag ? '%}' : '}}', open + 2);
    // Shopify rejects a file with an unclosed Liquid tag, so the rest of the text isn't Liquid.
    if (close < 0) break;
    const name = isTag ? nameAt(source, open + 2) : 'echo';
    if (name === 'echo') yield replaceUntil(close + 2, maskOutput);
    else if (name === 'raw') {
      yield replaceUntil(close + 2, blank);
      yield keepUntil(endOf(name, source, at).from);
    } else if (name === 'javascript') yield replaceUntil(close + 2, tag => replaceTag('<script>', tag));
    else if (name === 'endjavascript') yield replaceUntil(close + 2, tag => replaceTag('</script>', tag));
    else if (NON_PRINTING.has(name)) yield replaceUntil(endOf(name, source, close + 2).to, blank);
    else yield replaceUntil(close + 2, blank);
  }
  yield keepUntil(source.length);
}

function nameAt(source: string, at: number): string {
  NAME.lastIndex = at;
  return NAME.exec(source)?.[1] ?? '';
}

/** Returns the position of the tag that ends a block. An unterminated block extends to the end of the file. */
function endOf(name: string, source: string, after: number): { readonly from: number; readonly to: number } {
  const end = new RegExp(`\\{%-?[ \\t\\r\\n]{0,100}end${name}[ \\t\\r\\n]{0,100}-?%\\}`, 'g');
  end.lastIndex = after;
  const found = end.exec(source);
  return found ? { from: found.index, to: end.lastIndex } : { from: source.length, to: source.length };
}

const blank = (text: string): string => text.replace(/[^\r\n]/g, ' ');

/** Masks a Liquid output expression: its first line becomes an identifier, and all other lines become spaces. */
const maskOutput = (text: string): string => {
  const [first = ''] = /^[^\r\n]*/.exec(text) ?? [];
  return PLACEHOLDER.repeat(first.length) + blank(text.slice(first.length));
};

/** Replaces a Liquid tag with a shorter HTML tag and fills the remaining characters with spaces. */
const replaceTag = (html: string, tag: string): string => {
  const line = /^[^\r\n]*/.exec(tag)![0];
  return line.length < html.length ? blank(tag) : html + blank(tag.slice(html.length));
};
