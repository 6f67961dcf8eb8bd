import { extname } from 'node:path';
import { parseSync } from 'oxc-parser';
import { blockLines, joinLineComments, paragraphs } from './comments.ts';
import { messageParts } from './messages.ts';
import { Collected, type SourceFile, type TextPool, type Unit } from './unit.ts';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

const LANGUAGES: Record<string, 'ts' | 'tsx' | 'js'> = { '.ts': 'ts', '.tsx': 'tsx', '.js': 'js', '.mjs': 'js' };

/** Kind of text unit for a function's first argument, by function name. */
const TITLE_KINDS: ReadonlyMap<string, TitleKind> = new Map([
  ['describe', 'suite'],
  ['suite', 'suite'],
  ['it', 'title'],
  ['test', 'title'],
  ['bench', 'label'],
]);

/** Names of functions and template tags whose strings are patterns, code, or identifiers. */
const CODE_CALLS = new Set([
  'RegExp',
  'URL',
  'sql',
  'css',
  'graphql',
  'gql',
  'prepare',
  'exec',
  'query',
  'querySelector',
  'querySelectorAll',
  'closest',
  'matches',
  'locator',
  'import',
  'require',
  'fixture',
  'page',
]);

/** Names of properties whose strings are data, such as names, URLs, citations, and code. */
const DATA_PROPERTIES = new Set([
  'sources',
  'source',
  'className',
  'class',
  'style',
  'd',
  'viewBox',
  'sizes',
  'citation',
  'pattern',
  'selector',
  'sql',
  'href',
  'rel',
  'src',
  'grid',
  'gridTemplateColumns',
  'fontFamily',
  'transition',
  'columns',
  'userAgent',
  'example',
  'examples',
]);

/**
 * The pools of a file's strings and comments. `strings` is `undefined` for test files, whose string literals
 * are data.
 */
export interface ScriptPools {
  readonly strings: TextPool | undefined;
  readonly comments: TextPool;
}

type TitleKind = 'title' | 'suite' | 'label';

/** Extracts comments, test titles, messages, and JSX text from a TypeScript or JavaScript file. */
export function extractScript(source: SourceFile, pools: ScriptPools): Unit[] {
  const lang = LANGUAGES[extname(source.file)] ?? 'ts';
  const { program, comments } = parseSync(source.file, source.text, { lang, preserveParens: false });
  const units: Unit[] = [];
  units.push(...extractComments(source, comments, pools.comments));
  new Strings(source, pools, units).visit(program as unknown as Node, []);
  return units;
}

interface Comment {
  readonly type: 'Line' | 'Block';
  readonly value: string;
  readonly start: number;
}

function extractComments(source: SourceFile, comments: readonly Comment[], pool: TextPool): Unit[] {
  const lines = comments
    .filter(({ type }) => type === 'Line')
    .map(({ value, start }) => ({ text: value, offset: start + 2, start }));
  return [
    ...joinLineComments(lines, source).flatMap(group => paragraphs(group, source, 'comment', pool)),
    ...comments
      .filter(({ type }) => type === 'Block')
      .flatMap(({ value, start }) => {
        const isDocstring = value.startsWith('*');
        const skipped = isDocstring ? 1 : 0;
        const inside = blockLines(value.slice(skipped), start + 2 + skipped);
        return paragraphs(inside, source, isDocstring ? 'docstring' : 'comment', pool);
      }),
  ];
}

/** Collects test titles and messages from a syntax tree. */
class Strings {
  readonly #source: SourceFile;
  readonly #pools: ScriptPools;
  readonly #units: Unit[];

  constructor(source: SourceFile, pools: ScriptPools, units: Unit[]) {
    this.#source = source;
    this.#pools = pools;
    this.#units = units;
  }

  visit(node: Node, ancestors: readonly Node[]): void {
    if (
      /^(Import|Export(All|Named)|TSLiteralType|TSEnum|TSModule|TSImport)/.test(node.type) &&
      !('declaration' in node && node.declaration)
    )
      return;
    if (isText(node)) {
      this.#addText(node, ancestors);
      return;
    }
    if (node.type === 'JSXText') {
      this.#addMessage(raw(this.#source, node), 'message');
      return;
    }
    const path = [...ancestors, node];
    for (const [key, value] of Object.entries(node)) {
      if (key === 'key' && !node.computed) continue;
      if (Array.isArray(value)) {
        for (const child of value) if (isNode(child)) this.visit(child, path);
      } else if (isNode(value)) {
        this.visit(value, path);
      }
    }
  }

  #addText(node: Node, ancestors: readonly Node[]): void {
    const parent = ancestors.at(-1);
    const text = new Collected();
    collectText(node, this.#source, text);
    const kind = titleKind(node, parent);
    if (kind) {
      const unit = text.unit(this.#source, kind, this.#pools.comments);
      if (unit) this.#units.push(unit);
    } else if (!isCode(node, ancestors)) {
      this.#addMessage(text, 'message');
    }
    for (const expression of expressionsOf(node)) this.visit(expression, [...ancestors, node]);
  }

  #addMessage(text: Collected, kind: 'message'): void {
    const pool = this.#pools.strings;
    if (!pool) return;
    for (const part of messageParts(text)) {
      const unit = part.unit(this.#source, kind, pool);
      if (unit) this.#units.push(unit);
    }
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** Returns whether a node is a string literal, a template literal, or a concatenation that contains such a literal. */
function isText(node: Node): boolean {
  if (node.type === 'Literal') return typeof node.value === 'string';
  if (node.type === 'TemplateLiteral') return true;
  return node.type === 'BinaryExpression' && node.operator === '+' && operands(node).some(isText);
}

function operands(node: Node): Node[] {
  return [node.left as Node, node.right as Node];
}

/** Returns the expressions in a template literal or a concatenation. These expressions can also contain messages. */
function expressionsOf(node: Node): Node[] {
  if (node.type === 'TemplateLiteral') return node.expressions as Node[];
  if (node.type !== 'BinaryExpression') return [];
  return operands(node).flatMap(operand => (isText(operand) ? expressionsOf(operand) : [operand]));
}

/** Returns the unit kind for a suite name, a test title, or the label of a benchmark or an assertion. */
function titleKind(node: Node, parent: Node | undefined): TitleKind | undefined {
  if (parent?.type !== 'CallExpression') return undefined;
  const [first, second] = parent.arguments as Node[];
  const callee = parent.callee as Node;
  if (first === node) {
    // In Playwright, `test.describe` names a suite.
    return lastName(callee) === 'describe' ? 'suite' : TITLE_KINDS.get(baseName(callee));
  }
  return second === node && callee.name === 'expect' ? 'label' : undefined;
}

/** Returns the name that a callee starts with: `it` for `it`, `it.skip`, and `it.each([])`. */
function baseName(callee: Node): string {
  if (callee.type === 'Identifier') return callee.name as string;
  const inner = callee.object ?? callee.callee ?? callee.tag;
  return inner ? baseName(inner as Node) : '';
}

/** Returns the name that a callee ends with: `prepare` for `prepare` and `database.prepare`. */
function lastName(callee: Node): string {
  return propertyName(callee.type === 'MemberExpression' ? (callee.property as Node) : callee);
}

function isCode(node: Node, ancestors: readonly Node[]): boolean {
  const parent = ancestors.at(-1);
  // Skip a string that the program splits into names at runtime.
  if (parent?.type === 'MemberExpression' && propertyName(parent.property as Node) === 'split') return true;
  if (parent?.type === 'ExpressionStatement' && parent.directive) return true;
  if (parent?.type === 'TaggedTemplateExpression') return CODE_CALLS.has(lastName(parent.tag as Node));
  return ancestors.some((ancestor, index) => {
    if (ancestor.type === 'CallExpression' || ancestor.type === 'NewExpression') {
      const inside = ancestors[index + 1] ?? node;
      return inside !== ancestor.callee && CODE_CALLS.has(lastName(ancestor.callee as Node));
    }
    if (ancestor.type === 'Property') return DATA_PROPERTIES.has(propertyName(ancestor.key as Node));
    if (ancestor.type === 'JSXAttribute') return DATA_PROPERTIES.has(propertyName(ancestor.name as Node));
    return false;
  });
}

function propertyName(key: Node): string {
  return String(key.name ?? key.value ?? '');
}

function raw(source: SourceFile, { start, end }: Node): Collected {
  const text = new Collected();
  text.add(source.text.slice(start, end), start);
  return text;
}

/** Adds the characters of a text node, with each expression replaced with `${name}` or `${…}`. */
function collectText(node: Node, source: SourceFile, into: Collected): void {
  if (node.type === 'Literal') {
    addUnescaped(source.text.slice(node.start + 1, node.end - 1), node.start + 1, into);
  } else if (node.type === 'TemplateLiteral') {
    const expressions = node.expressions as Node[];
    for (const [index, { start, end }] of (node.quasis as Node[]).entries()) {
      // In TypeScript's syntax tree, a template element includes its delimiters.
      const text = source.text.slice(start, end).replace(/^[`}]|`$|\$\{$/g, '');
      addUnescaped(text, start + source.text.slice(start, end).indexOf(text), into);
      const expression = expressions[index];
      if (expression) placeholder(expression, source, into);
    }
  } else if (isText(node)) {
    for (const operand of operands(node)) collectText(operand, source, into);
  } else {
    placeholder(node, source, into);
  }
}

function placeholder({ start, end }: Node, source: SourceFile, into: Collected): void {
  const code = source.text.slice(start, end);
  into.add(`\${${/^[\w.]+$/.test(code) ? code : '…'}}`, start);
}

const ESCAPES: Record<string, string> = { n: '\n', t: ' ', r: '' };

function addUnescaped(text: string, offset: number, into: Collected): void {
  for (const { 0: part, index } of text.matchAll(/\\(u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|[\s\S])|[^\\]+/gi)) {
    if (!part.startsWith('\\')) into.add(part, offset + index);
    else if (part.length > 2)
      into.add(String.fromCodePoint(Number.parseInt(part.replace(/[^\da-f]/gi, ''), 16)), offset + index);
    else into.add(ESCAPES[part[1]!] ?? part[1]!, offset + index);
  }
}
