import {
  type DefaultTreeAdapterTypes,
  defaultTreeAdapter,
  html as names,
  Parser,
  parseFragment,
  TokenizerMode,
  type TreeAdapter,
} from 'parse5';
import { LineIndex } from './line-index.ts';

type Node = DefaultTreeAdapterTypes.Node;

/**
 * An element that can contain a tag. Offsets are character positions in the page after line endings are normalized to
 * `\n`.
 */
export interface PageElement {
  readonly tag: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Text content of a script or style element. */
  readonly text: string;
  readonly offset: number;
  readonly textOffset: number;
  readonly inHead: boolean;
  readonly inNoscript: boolean;
}

/** The relevant elements of a parsed page, in document order, excluding templates, comments, and escaped text. */
export interface PageModel {
  readonly elements: readonly PageElement[];
  readonly lines: LineIndex;
  /** Whether parsing stopped early because the page exceeded the nesting or attribute limit. */
  readonly truncated: boolean;
}

/** Elements whose text content the scan needs. */
const TEXT_ELEMENTS = new Set(['script', 'style', 'noscript']);

/**
 * Builds only the nodes that the scan needs: elements, and the text in script, style, and `<noscript>` elements. Most
 * nodes on a page are comments or other text. Skips end locations, because the scan needs only start offsets.
 */
const ADAPTER: TreeAdapter<DefaultTreeAdapterTypes.DefaultTreeAdapterMap> = {
  ...defaultTreeAdapter,
  insertText(parent, text) {
    if ('tagName' in parent && TEXT_ELEMENTS.has(parent.tagName)) defaultTreeAdapter.insertText(parent, text);
  },
  // The parser moves misplaced text, such as text directly in a table, to a position before the table. Such text is
  // never script code.
  insertTextBefore() {},
  appendChild(parent, node) {
    if (!defaultTreeAdapter.isCommentNode(node)) defaultTreeAdapter.appendChild(parent, node);
  },
  // If this function returns no location for an element, the parser doesn't set the element's end location.
  getNodeSourceCodeLocation: node => (node && 'value' in node ? node.sourceCodeLocation : undefined),
  // After inserting text, the parser sets the location of the last child. If the text was skipped, this child isn't a
  // text node.
  setNodeSourceCodeLocation(node, location) {
    if (node && ('value' in node || (location && 'startTag' in location))) node.sourceCodeLocation = location;
  },
  updateNodeSourceCodeLocation() {},
};

/** Location of text that's added without the tokenizer. Only the start offset is read. */
const NO_LOCATION = { startLine: 0, startCol: 0, endLine: 0, endCol: 0, endOffset: 0 };

const RELEVANT_TAGS = new Set(
  'html,body,script,img,iframe,link,meta,form,style,amp-analytics,amp-pixel,noscript,a,button,amp-img'.split(','),
);

// Blink doesn't nest elements deeper than this limit. The parser walks all open elements for each tag, so parsing stops
// at this depth to keep the running time linear.
const MAX_DEPTH = 512;
// The parser compares each new attribute with all earlier attributes of the same tag. Real tags have at most a few
// dozen attributes.
const MAX_ATTRIBUTES = 2_000;
// Both limits are checked between chunks of this length. Shorter chunks would slow down parsing.
const CHUNK = 65_536;

/** Matches the start tags of the elements that hold most of a page's text. */
const CODE_TAG = /<(?:script|style)[\s/>]/gi;

/** Matches the first character that the tokenizer must handle in a script or style element. */
const END_OF_CODE = /<[!/]|\0/g;

/**
 * Parses a page once and builds the same element structure as a browser with scripts enabled.
 *
 * @example parsePage('<script>fbq()</script>').elements.find(e => e.tag === 'script')?.text // 'fbq()'
 */
export function parsePage(html: string): PageModel {
  const text = html.includes('\r') ? html.replace(/\r\n?/g, '\n') : html;
  const parser = new Parser({ treeAdapter: ADAPTER, sourceCodeLocationInfo: true });
  let truncated = false;
  for (let at = 0; at < text.length && !truncated; ) {
    const end = Math.min(at + CHUNK, endOfCodeTag(text, at));
    parser.tokenizer.write(text.slice(at, end), false);
    at = addCode(parser, text, end);
    // Read the current tag from the tokenizer's private field, because the parser can't limit the number of attributes.
    const open = (parser.tokenizer as unknown as { currentToken: { attrs?: unknown[] } | null }).currentToken;
    truncated = parser.openElements.stackTop > MAX_DEPTH || (open?.attrs?.length ?? 0) > MAX_ATTRIBUTES;
  }
  parser.tokenizer.write('', true);
  const elements: PageElement[] = [];
  collect(parser.document, { inHead: false, inNoscript: false, shift: 0 }, elements);
  return { elements, lines: new LineIndex(text), truncated };
}

/** Returns the index after the next script or style start tag, or the text length if there's none. */
function endOfCodeTag(text: string, from: number): number {
  CODE_TAG.lastIndex = from;
  const tag = CODE_TAG.exec(text);
  const end = tag ? text.indexOf('>', tag.index) : -1;
  return end === -1 ? text.length : end + 1;
}

/**
 * If the tokenizer is inside a script or style element, adds the element's text to the tree in one piece. The tokenizer
 * itself would read one character at a time, which would take a third of the parsing time.
 *
 * @returns index after the added text
 */
function addCode(parser: Parser<DefaultTreeAdapterTypes.DefaultTreeAdapterMap>, text: string, from: number): number {
  const { tokenizer } = parser;
  if (tokenizer.state !== TokenizerMode.SCRIPT_DATA && tokenizer.state !== TokenizerMode.RAWTEXT) return from;
  END_OF_CODE.lastIndex = from;
  const end = END_OF_CODE.exec(text)?.index ?? text.length;
  if (end === from) return from;
  tokenizer.flushCharacters();
  const element = parser.openElements.current as DefaultTreeAdapterTypes.Element;
  ADAPTER.insertText(element, text.slice(from, end));
  const added = element.childNodes.at(-1);
  if (added) added.sourceCodeLocation ??= { ...NO_LOCATION, startOffset: from };
  tokenizer.preprocessor.droppedBufferSize += end - from;
  return end;
}

/**
 * Parses markup that a script writes to the page.
 *
 * @example readFragment('<script src="//x.example/a.js"></script>')[0]?.tag // 'script'
 */
export function readFragment(html: string): PageElement[] {
  const elements: PageElement[] = [];
  if (html.length > 65_536) return elements;
  collect(parseFragment(html), { inHead: false, inNoscript: false, shift: 0 }, elements);
  return elements;
}

interface Ancestors {
  readonly inHead: boolean;
  readonly inNoscript: boolean;
  readonly shift: number;
}

function collect(root: Node, start: Ancestors, elements: PageElement[]): void {
  const stack: { node: Node; ancestors: Ancestors }[] = [{ node: root, ancestors: start }];
  for (let entry = stack.pop(); entry; entry = stack.pop()) {
    const { node } = entry;
    let { ancestors } = entry;
    if ('tagName' in node) {
      const element = node as DefaultTreeAdapterTypes.Element;
      const tag = element.tagName;
      if (tag === 'template' || tag === 'textarea' || tag === 'pre') continue;
      if (tag === 'head') ancestors = { ...ancestors, inHead: true };
      const hasHandler = element.attrs.some(a => a.name.startsWith('on'));
      if (hasHandler || RELEVANT_TAGS.has(tag)) elements.push(describe(element, ancestors));
      if (tag === 'noscript') {
        const inner = textOf(element);
        if (inner.text) {
          // A browser with scripts enabled keeps the content of a `<noscript>` element as text, so parse that text the
          // way a browser with scripts disabled does.
          const fragment =
            inner.text.length > 65_536 ? null : parseFragment(inner.text, { sourceCodeLocationInfo: true });
          if (fragment)
            stack.push({ node: fragment, ancestors: { ...ancestors, inNoscript: true, shift: inner.offset } });
          continue;
        }
        ancestors = { ...ancestors, inNoscript: true };
      }
    }
    const children = 'childNodes' in node ? node.childNodes : [];
    for (let i = children.length - 1; i >= 0; i--)
      if ('childNodes' in children[i]!) stack.push({ node: children[i]!, ancestors });
  }
}

function describe(element: DefaultTreeAdapterTypes.Element, ancestors: Ancestors): PageElement {
  const offset = ancestors.shift + (element.sourceCodeLocation?.startOffset ?? 0);
  const holdsText = element.tagName === 'script' || element.tagName === 'style';
  const inner = holdsText ? textOf(element) : { text: '', offset: 0 };
  const attributes = new Map<string, string>();
  for (const { name, value } of element.attrs) attributes.set(name, value);
  return {
    tag: element.namespaceURI === names.NS.HTML ? element.tagName : `${element.tagName}:foreign`,
    attributes,
    text: inner.text,
    offset,
    textOffset: ancestors.shift + inner.offset,
    inHead: ancestors.inHead,
    inNoscript: ancestors.inNoscript,
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
