import type { ESTree } from 'meriyah';
import { UNRESOLVED } from '../model/unresolved.ts';
import { type Interpreter, mentionsConsent } from './interpreter.ts';
import { invoke } from './invoke.ts';
import { readMember } from './member.ts';
import { add, choice, exactText, literalValue, texts, truth, UNDEFINED, UNKNOWN, type Value } from './value.ts';

/**
 * Matches the text that the scan looks for, such as access tokens, in strings and regular expressions. A cookie name
 * matches only if an equal sign follows it, as in code that searches `document.cookie`, because a name without an equal
 * sign might just be in a list of cookies.
 */
const WATCHED =
  /(?:_shopify_(?:[sy]|country)|_tracking_consent|_landing_page|_orig_referrer)(?:\\s\*)?\\?=|access_token=EAA|^EAA[A-Za-z0-9]{57}|api_secret=|monorail-edge\.shopifysvc|async-hide/;
const WATCHED_KEYS = new Set([
  'webPixelsConfigList',
  'api_secret',
  'apiSecret',
  'accessToken',
  'access_token',
  'facebookCapiEnabled',
]);

/** Returns the value of an expression and emits every effect of its evaluation. */
export function evaluate(interpreter: Interpreter, node: ESTree.Node): Value {
  switch (node.type) {
    case 'Literal':
      return readLiteral(interpreter, node);
    case 'Identifier':
      return node.name === 'undefined'
        ? UNDEFINED
        : node.name === 'arguments'
          ? interpreter.frame.args
          : interpreter.lookup(node.name);
    case 'ThisExpression':
      return interpreter.frame.self;
    case 'TemplateLiteral':
      return node.quasis.reduce<Value>((text, quasi, i) => {
        const cooked = add(text, literalValue(quasi.value.cooked ?? ''));
        const expression = node.expressions[i];
        return expression ? add(cooked, interpreter.evaluate(expression)) : cooked;
      }, literalValue(''));
    case 'BinaryExpression':
      return readBinary(interpreter, node);
    case 'LogicalExpression':
      return readLogical(interpreter, node);
    case 'ConditionalExpression':
      return readConditional(interpreter, node);
    case 'AssignmentExpression':
      return readAssignment(interpreter, node);
    case 'MemberExpression':
      return readMember(interpreter, node).value;
    case 'ChainExpression':
    case 'ParenthesizedExpression':
      return interpreter.evaluate(node.expression);
    case 'CallExpression':
    case 'NewExpression':
      return invoke(interpreter, node);
    case 'ImportExpression': {
      for (const url of texts(interpreter.evaluate(node.source)))
        interpreter.emit(node.start ?? 0, { op: 'load', url, element: 'script' });
      return UNKNOWN;
    }
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
    case 'FunctionDeclaration':
      return interpreter.registerFunction({
        kind: 'function',
        node,
        scope: interpreter.frame.scope,
        script: interpreter.frame.script,
      });
    case 'ObjectExpression':
      return readObject(interpreter, node);
    case 'ArrayExpression': {
      const items: Value[] = [];
      for (const element of node.elements) {
        if (!element) items.push(UNDEFINED);
        else if (element.type === 'SpreadElement') {
          const spread = interpreter.evaluate(element.argument);
          if (spread.kind === 'list') items.push(...spread.items);
          else items.push(UNKNOWN);
        } else items.push(interpreter.evaluate(element));
      }
      return { kind: 'list', items };
    }
    case 'SequenceExpression': {
      let last: Value = UNDEFINED;
      for (const part of node.expressions) last = interpreter.evaluate(part);
      return last;
    }
    case 'UnaryExpression':
      return readUnary(interpreter, node);
    case 'UpdateExpression':
    case 'AwaitExpression':
    case 'YieldExpression':
      return node.argument ? interpreter.evaluate(node.argument) : UNDEFINED;
    case 'SpreadElement':
      return interpreter.evaluate(node.argument);
    case 'TaggedTemplateExpression':
      interpreter.evaluate(node.tag);
      for (const part of node.quasi.expressions) interpreter.evaluate(part);
      return UNKNOWN;
    case 'ClassExpression':
    case 'ClassDeclaration':
      if (node.superClass) interpreter.evaluate(node.superClass);
      for (const member of node.body.body) if ('value' in member && member.value) interpreter.evaluate(member.value);
      return UNKNOWN;
    case 'VariableDeclaration':
    case 'IfStatement':
      interpreter.execute([node]);
      return UNKNOWN;
    default:
      return UNKNOWN;
  }
}

function readLiteral(interpreter: Interpreter, node: ESTree.Literal): Value {
  const { value } = node;
  if (typeof value === 'string') {
    if (interpreter.condition) interpreter.noteConditionWord(value);
    if (value.length > 5 && value.length < 4096 && WATCHED.test(value)) {
      interpreter.emit(node.start ?? 0, { op: 'literal', text: value });
    }
    return value.includes(UNRESOLVED) ? { kind: 'text', value } : { kind: 'literal', value };
  }
  if ('regex' in node && node.regex && typeof node.regex === 'object') {
    const { pattern } = node.regex as { pattern: string };
    if (pattern.length < 4096 && WATCHED.test(pattern))
      interpreter.emit(node.start ?? 0, { op: 'literal', text: pattern });
    return UNKNOWN;
  }
  if (typeof value === 'number') return { kind: 'literal', value };
  return typeof value === 'boolean' || value === null ? { kind: 'literal', value: value as boolean | null } : UNKNOWN;
}

/**
 * Evaluates a binary expression. A long chain of `+` operators nests on the left, so a loop processes the left side
 * without recursion.
 */
function readBinary(interpreter: Interpreter, node: ESTree.BinaryExpression): Value {
  const rights: ESTree.BinaryExpression[] = [];
  let left: ESTree.Node = node;
  while (left.type === 'BinaryExpression') {
    rights.push(left);
    left = left.left;
  }
  let value: Value = left.type === 'PrivateIdentifier' ? UNKNOWN : interpreter.evaluate(left);
  for (let part = rights.pop(); part; part = rights.pop()) {
    const right = interpreter.evaluate(part.right);
    value = combine(part.operator, value, right);
  }
  return value;
}

function combine(operator: string, left: Value, right: Value): Value {
  if (operator === '+') return add(left, right);
  if (left.kind !== 'literal' || right.kind !== 'literal') return UNKNOWN;
  if (operator === '===' || operator === '==') return literalValue(left.value === right.value);
  if (operator === '!==' || operator === '!=') return literalValue(left.value !== right.value);
  if (typeof left.value !== 'number' || typeof right.value !== 'number') return UNKNOWN;
  if (operator === '<') return literalValue(left.value < right.value);
  if (operator === '<=') return literalValue(left.value <= right.value);
  if (operator === '>') return literalValue(left.value > right.value);
  return operator === '>=' ? literalValue(left.value >= right.value) : UNKNOWN;
}

/** The value of a condition, the names that the condition uses, and whether the condition checks consent. */
interface Condition {
  readonly value: Value;
  readonly note: { readonly consent: boolean; readonly names: readonly string[] };
}

/**
 * Returns whether a condition is true, or `null` if that's unknown. The confidence is `certain` only if the condition
 * doesn't use any names. The result assumes that variables keep their current values, which is guaranteed only in code
 * that runs immediately.
 */
export function decideCondition(
  interpreter: Interpreter,
  { value, note }: Condition,
): { known: boolean; confidence: 'certain' | 'possible' } | { known: null; confidence: null } {
  const known = truthOf(interpreter, value);
  const confidence = confidenceIn(note);
  if (known === null || (confidence === 'possible' && interpreter.frame.state !== 'run'))
    return { known: null, confidence: null };
  return { known, confidence };
}

const truthOf = (interpreter: Interpreter, value: Value): boolean | null =>
  value.kind === 'literal' ? truth(value) : interpreter.isUndefinedTag(value) ? false : null;

const confidenceIn = ({ names }: Condition['note']): 'certain' | 'possible' =>
  names.length === 0 ? 'certain' : 'possible';

/**
 * Evaluates a condition. In the result, `note` lists the names that the condition uses and indicates whether the
 * condition checks consent.
 */
export function readCondition(interpreter: Interpreter, test: ESTree.Node): Condition {
  const outer = interpreter.condition;
  const note = { consent: false, names: [] as string[] };
  interpreter.condition = note;
  const value = interpreter.evaluate(test);
  interpreter.condition = outer;
  if (outer) {
    outer.consent ||= note.consent;
    if (outer.names.length < 64) outer.names.push(...note.names.slice(0, 16));
  }
  return { value, note };
}

function readLogical(interpreter: Interpreter, node: ESTree.LogicalExpression): Value {
  const spine: ESTree.LogicalExpression[] = [];
  let leftmost: ESTree.Node = node;
  while (leftmost.type === 'LogicalExpression') {
    spine.push(leftmost);
    leftmost = leftmost.left;
  }
  let { value, note } = readCondition(interpreter, leftmost);
  for (let part = spine.pop(); part; part = spine.pop()) {
    const { right, operator } = part;
    const known = truthOf(interpreter, value);
    const decided = value.kind === 'literal';
    let result: Value = UNKNOWN;
    const rightNote = { consent: false, names: [] as string[] };
    const read = () => {
      const inner = readCondition(interpreter, right);
      result = inner.value;
      Object.assign(rightNote, inner.note);
    };
    const isSkipped = operator === '&&' ? known === false : operator === '||' && decided && known;
    if (isSkipped) {
      interpreter.asUnreachable(confidenceIn(note), () => interpreter.branch([read], note));
      continue;
    }
    // `a || b` evaluates `b` only if `a` is falsy, so `a` isn't a guard for `b`.
    if (decided) read();
    else interpreter.branch([read], operator === '&&' ? note : { consent: note.consent, names: [] });
    value = decided || operator === '&&' ? result : either(value, result);
    note = { consent: note.consent || rightNote.consent, names: [...note.names, ...rightNote.names].slice(0, 16) };
  }
  return value;
}

/**
 * Combines the operands of `||` or `??`. For `window.queue || []`, returns the left operand, because that operand still
 * identifies the queue.
 */
const either = (left: Value, right: Value): Value =>
  (left.kind === 'path' && right.kind !== 'literal' && right.kind !== 'text') ||
  left.kind === 'element' ||
  left.kind === 'object'
    ? left
    : choice([left, right]);

function readConditional(interpreter: Interpreter, node: ESTree.ConditionalExpression): Value {
  const { value, note } = readCondition(interpreter, node.test);
  if (value.kind === 'literal') {
    const known = truth(value);
    const skipped = known ? node.alternate : node.consequent;
    interpreter.asUnreachable(confidenceIn(note), () =>
      interpreter.branch([() => interpreter.evaluate(skipped)], note),
    );
    return interpreter.evaluate(known ? node.consequent : node.alternate);
  }
  let yes: Value = UNKNOWN;
  let no: Value = UNKNOWN;
  interpreter.branch(
    [
      () => {
        yes = interpreter.evaluate(node.consequent);
      },
      () => {
        no = interpreter.evaluate(node.alternate);
      },
    ],
    note,
  );
  return choice([yes, no]);
}

function readAssignment(interpreter: Interpreter, node: ESTree.AssignmentExpression): Value {
  const offset = node.start ?? 0;
  const { left, operator } = node;
  if (left.type === 'MemberExpression') {
    const { object, key } = readMember(interpreter, left, true);
    const right = interpreter.evaluate(node.right);
    const value = operator === '=' ? right : operator === '+=' ? UNKNOWN : choice([UNKNOWN, right]);
    if (key === 'src' || key === 'href') {
      const element = object.kind === 'element' ? object.tag : 'unknown';
      if (key === 'src') for (const url of texts(value)) interpreter.emit(offset, { op: 'load', url, element });
    }
    if ((key === 'innerHTML' || key === 'outerHTML') && value.kind !== 'unknown') {
      for (const html of texts(value)) if (html.includes('<')) interpreter.emit(offset, { op: 'write', html });
    }
    if (/^on[a-z]+$/.test(key ?? '') && value.kind === 'function') interpreter.defer(value, mentionsConsent(key!));
    if (key === null) {
      if (object.kind === 'object') object.open = true;
      return value;
    }
    if (value.kind === 'object' || value.kind === 'list') value.named = true;
    if (object.kind === 'object') object.entries.set(key, derived(value));
    const base = object.kind === 'path' ? object.path : 'at' in object ? object.at : undefined;
    if (base !== undefined && base.split('.', 4).length < 4) {
      const path = base ? `${base}.${key}` : key;
      if (operator === '=' || operator === '||=' || operator === '??=') {
        const kept = operator === '=' ? value : ({ kind: 'path', path } as Value);
        interpreter.assignGlobal(path, kept, offset, false);
        if (value.kind === 'function') interpreter.emit(offset, { op: 'define', path, empty: isEmpty(value) });
        const named = interpreter.global(path);
        return named.kind === 'path' && named.path === path ? named : value;
      }
    }
    return value;
  }
  const right = interpreter.evaluate(node.right);
  if (left.type === 'Identifier') {
    const value =
      operator === '='
        ? right
        : operator === '+='
          ? add(interpreter.lookup(left.name), right)
          : either(interpreter.lookup(left.name), right);
    interpreter.assign(left.name, value, offset);
    const named = interpreter.lookup(left.name);
    return named.kind === 'path' ? named : value;
  }
  if (left.type === 'ArrayPattern' || left.type === 'ObjectPattern') interpreter.bind(left, right);
  return right;
}

const isEmpty = (value: Value): boolean =>
  value.kind === 'function' && value.node.body?.type === 'BlockStatement' && value.node.body.body.length === 0;

function readObject(interpreter: Interpreter, node: ESTree.ObjectExpression): Value {
  const entries = new Map<string, Value>();
  let isOpen = false;
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') {
      const spread = interpreter.evaluate(property.argument);
      if (spread.kind === 'object') for (const [key, value] of spread.entries) entries.set(key, value);
      isOpen ||= spread.kind !== 'object' || spread.open === true;
      continue;
    }
    if (property.type !== 'Property') continue;
    const computed = property.computed ? exactText(interpreter.evaluate(property.key)) : null;
    const key = property.computed
      ? computed
      : property.key.type === 'Identifier'
        ? property.key.name
        : property.key.type === 'Literal'
          ? String(property.key.value)
          : null;
    const value = interpreter.evaluate(property.value);
    if (key === null) {
      isOpen = true;
      continue;
    }
    entries.set(key, property.value.type === 'Literal' ? value : derived(value));
    if (WATCHED_KEYS.has(key)) {
      const { start, end } = property.value;
      interpreter.emit(start ?? 0, { op: 'data', key, value, from: start ?? 0, to: end ?? 0 });
    }
  }
  return isOpen ? { kind: 'object', entries, open: true } : { kind: 'object', entries };
}

/**
 * If a value is a literal, marks it as derived, that is, as computed or read from a variable. Returns other values
 * unchanged.
 */
const derived = (value: Value): Value => (value.kind === 'literal' ? { ...value, derived: true } : value);

function readUnary(interpreter: Interpreter, node: ESTree.UnaryExpression): Value {
  const value = interpreter.evaluate(node.argument);
  if (node.operator === 'void') return UNDEFINED;
  if (node.operator === 'typeof') return interpreter.isUndefinedTag(value) ? literalValue('undefined') : UNKNOWN;
  if (node.operator === '!') {
    const known = value.kind === 'literal' ? truth(value) : null;
    return known === null ? UNKNOWN : literalValue(!known);
  }
  if (node.operator === '-' && value.kind === 'literal' && typeof value.value === 'number')
    return literalValue(-value.value);
  return UNKNOWN;
}
