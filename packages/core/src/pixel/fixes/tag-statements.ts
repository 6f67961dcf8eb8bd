import type { ESTree } from 'meriyah';
import type { TagObservation } from '../model/observation.ts';
import { type CodeNode, childrenOf, type InlineScript, type ThemeCode } from './theme-code.ts';

/** A vendor's code, identified by its global variables and observations. */
export interface TagCode {
  readonly globals: ReadonlySet<string>;
  readonly owns: (observation: TagObservation) => boolean;
}

/** Methods that vendor base code calls to add a script to the page. */
const PAGE_METHODS = new Set(
  'createElement,getElementsByTagName,insertBefore,appendChild,setAttribute,getTime'.split(','),
);
/** Methods that vendor base code calls on its own variables. */
const OWN_METHODS = new Set(['push', 'apply', 'replace']);
const CONSTRUCTORS = new Set(['Date', 'RegExp']);

/** Returns whether an expression can be evaluated without side effects. */
function isInert(node: ESTree.Node): boolean {
  switch (node.type) {
    case 'Literal':
    case 'Identifier':
    case 'TemplateElement':
    case 'ThisExpression':
      return true;
    case 'MemberExpression':
    case 'ArrayExpression':
    case 'ObjectExpression':
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'ConditionalExpression':
    case 'TemplateLiteral':
      return childrenOf(node).every(isInert);
    case 'Property':
      return node.kind === 'init' && !node.method && childrenOf(node).every(isInert);
    case 'UnaryExpression':
      return node.operator !== 'delete' && isInert(node.argument);
    case 'NewExpression':
      return (
        node.callee.type === 'Identifier' &&
        CONSTRUCTORS.has(node.callee.name) &&
        node.arguments.every(arg => isInert(arg))
      );
    default:
      return false;
  }
}

/** Returns the name of the global variable that a reference starts with, such as `fbq` for `window.fbq.queue`. */
function globalIn(node: ESTree.Node): string | null {
  if (node.type === 'Identifier') return node.name;
  if (node.type === 'AssignmentExpression') return globalIn(node.left);
  if (node.type !== 'MemberExpression') return null;
  const { object } = node;
  if (object.type === 'Identifier' && (object.name === 'window' || object.name === 'self')) return memberName(node);
  return globalIn(object);
}

/** Returns the name of the property that an expression accesses, or null if the name is computed. */
function memberName(node: ESTree.MemberExpression): string | null {
  const { property } = node;
  if (!node.computed && property.type === 'Identifier') return property.name;
  return property.type === 'Literal' && typeof property.value === 'string' ? property.value : null;
}

/**
 * Returns whether a statement contains only a tag's code: its base code, its queue, or calls to its functions with
 * arguments that have no side effects. Code with any other purpose, such as a handler that also updates the page,
 * doesn't qualify.
 */
export function isTagStatement(code: ThemeCode, statement: CodeNode, tag: TagCode): boolean {
  return isPure(statement.node, tag.globals) && code.observationsIn(statement).every(tag.owns);
}

function isPure(node: ESTree.Node, globals: ReadonlySet<string>): boolean {
  switch (node.type) {
    case 'EmptyStatement':
      return true;
    case 'ExpressionStatement':
      return isPureExpression(node.expression, globals);
    case 'FunctionDeclaration':
      return node.id !== null && globals.has(node.id.name) && isQueue(node, globals);
    case 'VariableDeclaration':
      return node.declarations.every(
        ({ id, init }) => id.type === 'Identifier' && globals.has(id.name) && (!init || isPureValue(init, globals)),
      );
    case 'TryStatement':
      return node.finalizer === null && (node.handler?.body.body.length ?? 0) === 0
        ? node.block.body.every(inner => isPure(inner, globals))
        : false;
    default:
      return false;
  }
}

function isPureExpression(node: ESTree.Node, globals: ReadonlySet<string>): boolean {
  switch (node.type) {
    case 'SequenceExpression':
      return node.expressions.every(inner => isPureExpression(inner, globals));
    case 'UnaryExpression':
      return (node.operator === '!' || node.operator === 'void') && isPureExpression(node.argument, globals);
    case 'AssignmentExpression':
      return globals.has(globalIn(node.left) ?? '') && isPureValue(node.right, globals);
    case 'CallExpression': {
      if (node.callee.type === 'FunctionExpression') return isLoader(node.callee, node.arguments, globals);
      return isTagCall(node, globals);
    }
    default:
      return false;
  }
}

/** Returns whether a value has no side effects, is a queue function, or calls one of the tag's functions. */
function isPureValue(node: ESTree.Node, globals: ReadonlySet<string>): boolean {
  if (isInert(node)) return true;
  if (node.type === 'LogicalExpression') return isPureValue(node.left, globals) && isPureValue(node.right, globals);
  if (node.type === 'FunctionExpression') return isQueue(node, globals);
  if (node.type === 'AssignmentExpression') return isPureExpression(node, globals);
  return node.type === 'CallExpression' && isTagCall(node, globals);
}

const isTagCall = ({ callee, arguments: args }: ESTree.CallExpression, globals: ReadonlySet<string>): boolean =>
  globals.has(globalIn(callee) ?? '') && args.every(arg => isInert(arg));

/** Returns whether a function only queues its arguments. */
const isQueue = (node: ESTree.FunctionDeclaration | ESTree.FunctionExpression, globals: ReadonlySet<string>): boolean =>
  node.params.length === 0 && isLoader(node, [], globals);

/** Returns whether a function only adds the vendor's script to the page and defines the tag's global variables. */
function isLoader(
  fn: ESTree.FunctionExpression | ESTree.FunctionDeclaration,
  args: readonly ESTree.Node[],
  globals: ReadonlySet<string>,
): boolean {
  if (!fn.body || !fn.params.every(({ type }) => type === 'Identifier') || !args.every(isInert)) return false;
  const values = new Map(
    fn.params.map((param, i) => [param.type === 'Identifier' ? param.name : '', args[i]] as const),
  );
  const locals = new Set(values.keys());
  const isWindow = (node: ESTree.Node): boolean => {
    if (node.type !== 'Identifier') return false;
    const value = locals.has(node.name) ? values.get(node.name) : node;
    return value?.type === 'Identifier' && (value.name === 'window' || value.name === 'self');
  };
  /** Returns the name of a window property. The loader function in the theme can receive the name as an argument. */
  const windowProperty = (node: ESTree.MemberExpression): string | null => {
    const { computed, property } = node;
    const value = computed && property.type === 'Identifier' ? values.get(property.name) : undefined;
    return value?.type === 'Literal' && typeof value.value === 'string' ? value.value : memberName(node);
  };
  const isOwnTarget = (node: ESTree.Node): boolean => {
    if (node.type === 'Identifier') return locals.has(node.name) || globals.has(node.name);
    if (node.type !== 'MemberExpression') return false;
    if (isWindow(node.object)) return globals.has(windowProperty(node) ?? '');
    return isOwnTarget(node.object) || (node.object.type === 'AssignmentExpression' && isOwnTarget(node.object.left));
  };
  const isOwnCall = (callee: ESTree.Node): boolean => {
    if (callee.type === 'Identifier') return locals.has(callee.name) || globals.has(callee.name);
    if (callee.type !== 'MemberExpression') return false;
    const name = memberName(callee);
    if (name === null) return false;
    const { object } = callee;
    const target = object.type === 'AssignmentExpression' ? object.left : object;
    return PAGE_METHODS.has(name) || (OWN_METHODS.has(name) && isOwnTarget(target));
  };
  const stack: ESTree.Node[] = [fn.body];
  // Collect the local variables first, because functions can use a variable before its declaration.
  for (const node of everyNode(fn.body)) {
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier') locals.add(node.id.name);
    if (node.type === 'FunctionDeclaration' && node.id) locals.add(node.id.name);
  }
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.type === 'CallExpression' && !isOwnCall(node.callee)) return false;
    if (node.type === 'NewExpression' && !(node.callee.type === 'Identifier' && CONSTRUCTORS.has(node.callee.name)))
      return false;
    if (node.type === 'AssignmentExpression' && !isOwnTarget(node.left)) return false;
    if (node.type === 'UpdateExpression' || node.type === 'ImportExpression' || node.type === 'AwaitExpression')
      return false;
    stack.push(...childrenOf(node));
  }
  return true;
}

function* everyNode(root: ESTree.Node): Generator<ESTree.Node> {
  const stack = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    yield node;
    stack.push(...childrenOf(node));
  }
}

/** Function call in an inline script, with its position in the file. */
export interface CodeCall extends CodeNode {
  readonly node: ESTree.CallExpression;
  readonly script: InlineScript;
}

/** Returns the call that starts at an offset in an inline script, or null. */
export function callAt(code: ThemeCode, offset: number): CodeCall | null {
  for (const script of code.scripts) {
    const top = script.statements.find(({ from, to }) => from <= offset && offset < to);
    if (!top) continue;
    for (const node of everyNode(top.node)) {
      if (node.type === 'CallExpression' && script.base + (node.start ?? 0) === offset)
        return { node, script, from: offset, to: script.base + (node.end ?? 0) };
    }
  }
  return null;
}
