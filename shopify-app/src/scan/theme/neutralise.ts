/** Stands for a value that Liquid would print: a letter that JavaScript takes for a name, and that no theme uses. */
export const FILLER = 'ʟ';

const OPEN = /\{[{%]/g;
const NAME = /-?[ \t\r\n]{0,100}(#|\w+)/y;

/** Blocks that print nothing, or nothing that runs. */
const SILENT = new Set(['comment', 'doc', 'schema', 'stylesheet']);

/**
 * Takes the Liquid out of a theme file, so that what is left can be read as HTML. Every character keeps its place, line ends
 * included: what is found in the result stands at the same line and column of the file.
 *
 * Outputs become a name of {@link FILLER}, so that in a script they are a value nobody knows. Tags become blanks, and so does
 * what comments and schemas hold. What `{% raw %}` holds stays; what `{% javascript %}` holds becomes a script.
 * Both arms of a condition stay: which one a shopper gets is not known.
 *
 * @example neutralise("fbq('init', '{{ id }}');{% if a %}x{% endif %}") // "fbq('init', 'ʟʟʟʟʟʟʟʟ');          x           "
 */
export function neutralise(source: string): string {
  const out: string[] = [];
  let at = 0;
  const keepUntil = (to: number) => {
    out.push(source.slice(at, to));
    at = to;
  };
  const replaceUntil = (to: number, replacement: (text: string) => string) => {
    out.push(replacement(source.slice(at, to)));
    at = to;
  };
  for (;;) {
    OPEN.lastIndex = at;
    const open = OPEN.exec(source)?.index;
    if (open === undefined) break;
    keepUntil(open);
    const isTag = source[open + 1] === '%';
    const close = source.indexOf(isTag ? '%}' : '}}', open + 2);
    // Shopify refuses a file whose last tag is not closed; what is left is no Liquid.
    if (close < 0) break;
    const name = isTag ? nameAt(source, open + 2) : 'echo';
    if (name === 'echo') replaceUntil(close + 2, fill);
    else if (name === 'raw') {
      replaceUntil(close + 2, blank);
      keepUntil(endOf(name, source, at).from);
    } else if (name === 'javascript') replaceUntil(close + 2, tag => put('<script>', tag));
    else if (name === 'endjavascript') replaceUntil(close + 2, tag => put('</script>', tag));
    else if (SILENT.has(name)) replaceUntil(endOf(name, source, close + 2).to, blank);
    else replaceUntil(close + 2, blank);
  }
  keepUntil(source.length);
  return out.join('');
}

function nameAt(source: string, at: number): string {
  NAME.lastIndex = at;
  return NAME.exec(source)?.[1] ?? '';
}

/** Where a block ends; one that does not goes on to the end of the file. */
function endOf(name: string, source: string, after: number): { readonly from: number; readonly to: number } {
  const end = new RegExp(`\\{%-?[ \\t\\r\\n]{0,100}end${name}[ \\t\\r\\n]{0,100}-?%\\}`, 'g');
  end.lastIndex = after;
  const found = end.exec(source);
  return found ? { from: found.index, to: end.lastIndex } : { from: source.length, to: source.length };
}

const blank = (text: string): string => text.replace(/[^\r\n]/g, ' ');

/** One name: what stands on further lines is blank. */
const fill = (text: string): string => {
  const [first = ''] = /^[^\r\n]*/.exec(text) ?? [];
  return FILLER.repeat(first.length) + blank(text.slice(first.length));
};

/** A tag of HTML in the place of a longer one of Liquid. */
const put = (html: string, tag: string): string => {
  const line = /^[^\r\n]*/.exec(tag)![0];
  return line.length < html.length ? blank(tag) : html + blank(tag.slice(html.length));
};
