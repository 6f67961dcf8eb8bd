import { type DefaultTreeAdapterTypes, defaultTreeAdapter, html as names, Parser, parseFragment } from 'parse5';
import { LineIndex } from './lines.ts';

type Node = DefaultTreeAdapterTypes.Node;

/** One element that can carry a tag. Offsets count characters of the page after line endings were made `\n`. */
export interface PageElement {
  readonly tag: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Text inside, for scripts, styles and JSON holders. */
  readonly text: string;
  readonly offset: number;
  readonly textOffset: number;
  readonly inHead: boolean;
  readonly inNoscript: boolean;
}

/** The page after one parse: what matters, in document order. Templates, comments and escaped text are not in it. */
export interface PageModel {
  readonly elements: readonly PageElement[];
  readonly lines: LineIndex;
  /** Nesting or attributes went past what a browser keeps, and the rest was not read. */
  readonly cut: boolean;
}

/** Of where things are, only their beginning is asked for. */
const ADAPTER = { ...defaultTreeAdapter, updateNodeSourceCodeLocation() {} };

const KEPT = new Set(
  'html,body,script,img,iframe,link,meta,form,style,amp-analytics,amp-pixel,noscript,a,button,amp-img'.split(','),
);

// Blink flattens the tree at this depth. Past it, each tag costs a walk over the open elements, so reading stops there.
const MAX_DEPTH = 512;
// A tag looks every new attribute up among those it has; a real tag has a few dozen.
const MAX_ATTRIBUTES = 2_000;
// Both are looked at between pieces of this length; shorter pieces cost time on every page.
const CHUNK = 65_536;

/**
 * Parses a page once, as a browser with scripts enabled would place its elements.
 *
 * @example readPage('<script>fbq()</script>').elements.find(e => e.tag === 'script')?.text // 'fbq()'
 */
export function readPage(html: string): PageModel {
  const text = html.includes('\r') ? html.replace(/\r\n?/g, '\n') : html;
  const parser = new Parser({ treeAdapter: ADAPTER, sourceCodeLocationInfo: true });
  let cut = false;
  for (let at = 0; at < text.length && !cut; at += CHUNK) {
    parser.tokenizer.write(text.slice(at, at + CHUNK), false);
    // The tokenizer keeps the open tag to itself, and no public setting limits its attributes.
    const open = (parser.tokenizer as unknown as { currentToken: { attrs?: unknown[] } | null }).currentToken;
    cut = parser.openElements.stackTop > MAX_DEPTH || (open?.attrs?.length ?? 0) > MAX_ATTRIBUTES;
  }
  parser.tokenizer.write('', true);
  const elements: PageElement[] = [];
  collect(parser.document, { inHead: false, inNoscript: false, shift: 0 }, elements);
  return { elements, lines: new LineIndex(text), cut };
}

/**
 * Parses markup that a script writes into the page.
 *
 * @example readFragment('<script src="//x.example/a.js"></script>')[0]?.tag // 'script'
 */
export function readFragment(html: string): PageElement[] {
  const elements: PageElement[] = [];
  if (html.length > 65_536) return elements;
  collect(parseFragment(html), { inHead: false, inNoscript: false, shift: 0 }, elements);
  return elements;
}

interface Surroundings {
  readonly inHead: boolean;
  readonly inNoscript: boolean;
  readonly shift: number;
}

function collect(root: Node, start: Surroundings, into: PageElement[]): void {
  const stack: { node: Node; around: Surroundings }[] = [{ node: root, around: start }];
  for (let entry = stack.pop(); entry; entry = stack.pop()) {
    const { node } = entry;
    let { around } = entry;
    if ('tagName' in node) {
      const element = node as DefaultTreeAdapterTypes.Element;
      const tag = element.tagName;
      if (tag === 'template' || tag === 'textarea' || tag === 'pre') continue;
      if (tag === 'head') around = { ...around, inHead: true };
      const handled = element.attrs.some(a => a.name.startsWith('on'));
      if (handled || KEPT.has(tag)) into.push(describe(element, around));
      if (tag === 'noscript') {
        const inner = textOf(element);
        if (inner.text) {
          // With scripts enabled a browser keeps this as text; it is read as what a browser without scripts would show.
          const fragment =
            inner.text.length > 65_536 ? null : parseFragment(inner.text, { sourceCodeLocationInfo: true });
          if (fragment) stack.push({ node: fragment, around: { ...around, inNoscript: true, shift: inner.offset } });
          continue;
        }
        around = { ...around, inNoscript: true };
      }
    }
    const children = 'childNodes' in node ? node.childNodes : [];
    for (let i = children.length - 1; i >= 0; i--)
      if ('childNodes' in children[i]!) stack.push({ node: children[i]!, around });
  }
}

function describe(element: DefaultTreeAdapterTypes.Element, around: Surroundings): PageElement {
  const offset = around.shift + (element.sourceCodeLocation?.startOffset ?? 0);
  const holdsText = element.tagName === 'script' || element.tagName === 'style';
  const inner = holdsText ? textOf(element) : { text: '', offset: 0 };
  const attributes = new Map<string, string>();
  for (const { name, value } of element.attrs) attributes.set(name, value);
  return {
    tag: element.namespaceURI === names.NS.HTML ? element.tagName : `${element.tagName}:foreign`,
    attributes,
    text: inner.text,
    offset,
    textOffset: around.shift + inner.offset,
    inHead: around.inHead,
    inNoscript: around.inNoscript,
  };
}

function textOf(element: DefaultTreeAdapterTypes.Element): { text: string; offset: number } {
  let text = '';
  let offset = element.sourceCodeLocation?.startOffset ?? 0;
  for (const child of element.childNodes) {
    if (!('value' in child)) continue;
    if (!text) offset = child.sourceCodeLocation?.startOffset ?? offset;
    text += child.value;
  }
  return { text, offset };
}
