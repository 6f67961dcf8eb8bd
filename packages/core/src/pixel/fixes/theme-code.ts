import type { ESTree } from 'meriyah';
import { type PageElement, parsePage } from '../html/page.ts';
import { reachability } from '../html/reachability.ts';
import type { TagObservation } from '../model/observation.ts';
import { collect } from '../observations/collect.ts';
import { parseJavaScript } from '../script/parse.ts';
import { type LiquidRange, liquidRanges, maskLiquid } from '../theme-file/mask-liquid.ts';
import { type ThemeFileText, themeFileCapture } from '../theme-file/scan-theme-file.ts';
import type { TextEdit } from './file-edit.ts';

/** Syntax node with its offsets in the file. */
export interface CodeNode {
  readonly node: ESTree.Node;
  readonly from: number;
  readonly to: number;
}

/** Statement in an inline script. */
export interface Statement extends CodeNode {
  /** Enclosing nodes, outermost first. The list is empty for a top-level statement. */
  readonly ancestors: readonly ESTree.Node[];
}

/** Inline script that browsers run as soon as they have parsed it. */
export interface InlineScript {
  readonly element: PageElement;
  /** Offset of the script's code. */
  readonly base: number;
  /** Top-level statements. */
  readonly statements: readonly Statement[];
}

/** Observation with its offset in the file. */
export interface LocatedObservation {
  readonly observation: TagObservation;
  readonly offset: number;
}

/** Matches the start of a Liquid tag and captures the tag name. */
const LIQUID_BLOCK = /^\{%-?\s*(\w+)/;
/** Liquid tags that start a block whose content might not be rendered. */
const BLOCKS = new Set([
  'if',
  'unless',
  'case',
  'for',
  'tablerow',
  'capture',
  'form',
  'paginate',
  'block',
  'ifchanged',
]);
/** Liquid tags that start another branch of a block. */
const BRANCHES = new Set(['else', 'elsif', 'when']);

/**
 * A theme file's code with the positions of its tags. All offsets are positions in `text`, where every line break is
 * `\n`.
 */
export class ThemeCode {
  readonly text: string;
  /** Text with Liquid code masked. */
  readonly masked: string;
  readonly elements: readonly PageElement[];
  /**
   * Inline scripts that browsers run while parsing the page, in file order. Scripts with a syntax error are omitted.
   */
  readonly scripts: readonly InlineScript[];
  /** Observations whose position in the file is known. */
  readonly observations: readonly LocatedObservation[];
  readonly #liquid: readonly LiquidRange[];
  readonly #lineStarts: readonly number[];

  constructor(file: ThemeFileText) {
    this.text = file.source.replace(/\r\n?/g, '\n');
    this.masked = maskLiquid(this.text);
    this.#liquid = liquidRanges(this.text);
    this.#lineStarts = [0, ...[...this.text.matchAll(/\n/g)].map(({ index }) => index + 1)];
    const { elements } = parsePage(this.masked);
    this.elements = elements;
    this.scripts = elements.flatMap(element => this.#inlineScript(element));
    const capture = themeFileCapture({ ...file, source: this.text });
    const { observations } = collect(capture, { asOf: file.asOf });
    this.observations = observations.flatMap(observation => {
      const { source, url, line, column } = observation.where;
      if (url !== capture.finalUrl || source === 'theme files') return [];
      return [{ observation, offset: this.offsetAt(line, column) }];
    });
  }

  /** Returns the offset for a line and column. Line and column numbers start at 1. */
  offsetAt(line: number, column: number): number {
    return Math.min((this.#lineStarts[line - 1] ?? this.text.length) + column - 1, this.text.length);
  }

  /** Returns the observations whose code starts in a range. */
  observationsIn({ from, to }: { readonly from: number; readonly to: number }): TagObservation[] {
    return this.observations.flatMap(({ observation, offset }) => (offset >= from && offset < to ? observation : []));
  }

  /** Returns whether a range contains no Liquid code. */
  isWithoutLiquid(from: number, to: number): boolean {
    return !this.#liquid.some(range => range.from < to && range.to > from);
  }

  /** Returns whether text can be inserted at an offset without splitting Liquid code. */
  isBetweenLiquid(offset: number): boolean {
    return !this.#liquid.some(range => range.from < offset && range.to > offset);
  }

  /**
   * Returns the Liquid blocks around an offset, outermost first, such as `12:1` for the second branch of the block that
   * starts at offset 12.
   */
  blocksAt(offset: number): readonly string[] {
    const stack: { readonly from: number; branch: number }[] = [];
    for (const { from, to } of this.#liquid) {
      if (from >= offset) break;
      const name = LIQUID_BLOCK.exec(this.text.slice(from, Math.min(to, from + 200)))?.[1] ?? '';
      if (BLOCKS.has(name)) stack.push({ from, branch: 0 });
      else if (BRANCHES.has(name) && stack.length > 0) stack.at(-1)!.branch++;
      else if (name.startsWith('end') && BLOCKS.has(name.slice(3))) stack.pop();
    }
    return stack.map(({ from, branch }) => `${from}:${branch}`);
  }

  /** Returns whether Liquid renders the text at `offset` whenever it renders the text at `other`. */
  isPrintedWith(offset: number, other: number): boolean {
    const blocks = this.blocksAt(other);
    return this.blocksAt(offset).every((block, i) => block === blocks[i]);
  }

  /** Returns the range of an element's start tag, or null if the tag is incomplete. */
  startTag({ offset }: Pick<PageElement, 'offset'>): { readonly from: number; readonly to: number } | null {
    START_TAG.lastIndex = offset;
    const found = START_TAG.exec(this.masked);
    return found ? { from: offset, to: START_TAG.lastIndex } : null;
  }

  /** Returns the range of a script, style, noscript, or iframe element, or null if its end tag is missing. */
  wholeElement(element: PageElement): { readonly from: number; readonly to: number } | null {
    const start = this.startTag(element);
    if (!start) return null;
    const end = new RegExp(`</${element.tag}\\s{0,100}>`, 'gi');
    end.lastIndex = element.tag === 'script' ? Math.max(start.to, element.textOffset + element.text.length) : start.to;
    return end.exec(this.masked) ? { from: start.from, to: end.lastIndex } : null;
  }

  /**
   * Returns an edit that deletes a range. If the range's lines contain nothing else, the edit deletes those lines.
   * Returns null if the range contains Liquid code.
   */
  deletion({ from, to }: { readonly from: number; readonly to: number }): TextEdit | null {
    if (!this.isWithoutLiquid(from, to)) return null;
    const start = this.text.lastIndexOf('\n', from - 1) + 1;
    const lineEnd = this.text.indexOf('\n', to);
    const end = lineEnd < 0 ? this.text.length : lineEnd;
    const isAlone = from > 0 && this.text.slice(start, from).trim() === '' && this.text.slice(to, end).trim() === '';
    if (isAlone || (from === 0 && this.text.slice(to, end).trim() === ''))
      return { from: from === 0 ? 0 : start, to: lineEnd < 0 ? end : end + 1, text: '' };
    const space = this.text[to] === ' ' && (from === 0 || /\s/.test(this.text[from - 1]!)) ? 1 : 0;
    return { from, to: to + space, text: '' };
  }

  /** Returns the whitespace at the start of the line that contains an offset. */
  indentAt(offset: number): string {
    const start = offset === 0 ? 0 : this.text.lastIndexOf('\n', offset - 1) + 1;
    return /^[ \t]*/.exec(this.text.slice(start, offset))![0];
  }

  #inlineScript(element: PageElement): InlineScript[] {
    if (element.tag !== 'script' || element.attributes.has('src') || element.inNoscript) return [];
    if (reachability(element) !== 'run' || element.attributes.get('type') === 'module') return [];
    const base = element.textOffset;
    // Skip scripts with characters that HTML doesn't allow. The parser drops these characters, so all later offsets
    // would be wrong.
    if (this.masked.slice(base, base + element.text.length) !== element.text) return [];
    const { program, outcome, problem } = parseJavaScript(element.text, 'script');
    if (!program || outcome !== 'script' || problem) return [];
    const statements = (program.body as ESTree.Node[]).map(node => ({ ...located(node, base), ancestors: [] }));
    return [{ element, base, statements }];
  }
}

/** Matches a start tag. A quoted attribute value can contain `>`. */
const START_TAG = /<[a-z][^\s/>]*(?:[^>"']|"[^"]*"|'[^']*')*>/giy;

const located = (node: ESTree.Node, base: number): CodeNode => ({
  node,
  from: base + (node.start ?? 0),
  to: base + (node.end ?? 0),
});

/** Returns a node's child nodes. */
export function childrenOf(node: ESTree.Node): ESTree.Node[] {
  return Object.values(node).flatMap((value: unknown) =>
    (Array.isArray(value) ? value : [value]).filter(
      (child): child is ESTree.Node => typeof child === 'object' && child !== null && 'type' in child,
    ),
  );
}

const LISTS = new Set(['Program', 'BlockStatement', 'SwitchCase']);

/**
 * Returns the innermost statement that contains an offset and can be deleted or moved without affecting its neighbors,
 * or null if no such statement exists.
 */
export function statementAt(script: InlineScript, offset: number): Statement | null {
  const { base, statements } = script;
  const top = statements.find(({ from, to }) => from <= offset && offset < to);
  if (!top) return null;
  let found: Statement = top;
  const path: ESTree.Node[] = [];
  for (let node: ESTree.Node | undefined = top.node; node; ) {
    const next: ESTree.Node | undefined = childrenOf(node).find(
      child => base + (child.start ?? 0) <= offset && offset < base + (child.end ?? 0),
    );
    if (next && /Statement$|^VariableDeclaration$/.test(next.type)) {
      if (next.type !== 'BlockStatement' && !LISTS.has(node.type)) return null;
      if (next.type !== 'BlockStatement') found = { ...located(next, base), ancestors: [...path, node] };
    }
    path.push(node);
    node = next;
  }
  return found;
}
