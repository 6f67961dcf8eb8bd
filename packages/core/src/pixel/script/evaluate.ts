import type { ESTree } from 'meriyah';
import { invoke } from './invoke.ts';
import { type Machine, speaksOfConsent } from './machine.ts';
import { readMember } from './member.ts';
import { add, choice, exactText, literal, texts, truth, UNDEFINED, UNKNOWN, type Value } from './value.ts';

/** Words in strings and expressions that something later asks for. */
const WATCHED =
  /_shopify_(?:[sy]|country)\b|_tracking_consent|_landing_page|_orig_referrer|access_token=EAA|^EAA[A-Za-z0-9]{57}|api_secret=|monorail-edge\.shopifysvc|async-hide/;
const WATCHED_KEYS = new Set([
  'webPixelsConfigList',
  'api_secret',
  'apiSecret',
  'accessToken',
  'access_token',
  'facebookCapiEnabled',
]);

/** The value of an expression, with every effect on the way. */
export function evaluate(machine: Machine, node: ESTree.Node): Value {
  switch (node.type) {
    case 'Literal':
      return readLiteral(machine, node);
    case 'Identifier':
      return node.name === 'undefined'
        ? UNDEFINED
        : node.name === 'arguments'
          ? machine.frame.args
          : machine.lookup(node.name);
    case 'ThisExpression':
      return machine.frame.self;
    case 'TemplateLiteral':
      return node.quasis.reduce<Value>((text, quasi, i) => {
        const cooked = add(text, literal(quasi.value.cooked ?? ''));
        const hole = node.expressions[i];
        return hole ? add(cooked, machine.evaluate(hole)) : cooked;
      }, literal(''));
    case 'BinaryExpression':
      return readBinary(machine, node);
    case 'LogicalExpression':
      return readLogical(machine, node);
    case 'ConditionalExpression':
      return readConditional(machine, node);
    case 'AssignmentExpression':
      return readAssignment(machine, node);
    case 'MemberExpression':
      return readMember(machine, node).value;
    case 'ChainExpression':
    case 'ParenthesizedExpression':
      return machine.evaluate(node.expression);
    case 'CallExpression':
    case 'NewExpression':
      return invoke(machine, node);
    case 'ImportExpression': {
      for (const url of texts(machine.evaluate(node.source)))
        machine.emit(node.start ?? 0, { op: 'load', url, element: 'script' });
      return UNKNOWN;
    }
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
    case 'FunctionDeclaration':
      return machine.meet({ kind: 'function', node, scope: machine.frame.scope, script: machine.frame.script });
    case 'ObjectExpression':
      return readObject(machine, node);
    case 'ArrayExpression': {
      const items: Value[] = [];
      for (const element of node.elements) {
        if (!element) items.push(UNDEFINED);
        else if (element.type === 'SpreadElement') {
          const spread = machine.evaluate(element.argument);
          if (spread.kind === 'list') items.push(...spread.items);
          else items.push(UNKNOWN);
        } else items.push(machine.evaluate(element));
      }
      return { kind: 'list', items };
    }
    case 'SequenceExpression': {
      let last: Value = UNDEFINED;
      for (const part of node.expressions) last = machine.evaluate(part);
      return last;
    }
    case 'UnaryExpression':
      return readUnary(machine, node);
    case 'UpdateExpression':
    case 'AwaitExpression':
    case 'YieldExpression':
      return node.argument ? machine.evaluate(node.argument) : UNDEFINED;
    case 'SpreadElement':
      return machine.evaluate(node.argument);
    case 'TaggedTemplateExpression':
      machine.evaluate(node.tag);
      for (const part of node.quasi.expressions) machine.evaluate(part);
      return UNKNOWN;
    case 'ClassExpression':
    case 'ClassDeclaration':
      if (node.superClass) machine.evaluate(node.superClass);
      for (const member of node.body.body) if ('value' in member && member.value) machine.evaluate(member.value);
      return UNKNOWN;
    case 'VariableDeclaration':
    case 'IfStatement':
      machine.execute([node]);
      return UNKNOWN;
    default:
      return UNKNOWN;
  }
}

function readLiteral(machine: Machine, node: ESTree.Literal): Value {
  const { value } = node;
  if (typeof value === 'string') {
    if (machine.condition) machine.hear(value);
    if (value.length > 5 && value.length < 4096 && WATCHED.test(value)) {
      machine.emit(node.start ?? 0, { op: 'literal', text: value });
    }
    return { kind: 'literal', value };
  }
  if ('regex' in node && node.regex && typeof node.regex === 'object') {
    const { pattern } = node.regex as { pattern: string };
    if (pattern.length < 4096 && WATCHED.test(pattern)) machine.emit(node.start ?? 0, { op: 'literal', text: pattern });
    return UNKNOWN;
  }
  if (typeof value === 'number') return { kind: 'literal', value };
  return typeof value === 'boolean' || value === null ? { kind: 'literal', value: value as boolean | null } : UNKNOWN;
}

/** A long sum leans to the left, so its left side is walked in a loop. */
function readBinary(machine: Machine, node: ESTree.BinaryExpression): Value {
  const rights: ESTree.BinaryExpression[] = [];
  let left: ESTree.Node = node;
  while (left.type === 'BinaryExpression') {
    rights.push(left);
    left = left.left;
  }
  let value: Value = left.type === 'PrivateIdentifier' ? UNKNOWN : machine.evaluate(left);
  for (let part = rights.pop(); part; part = rights.pop()) {
    const right = machine.evaluate(part.right);
    value = combine(part.operator, value, right);
  }
  return value;
}

function combine(operator: string, left: Value, right: Value): Value {
  if (operator === '+') return add(left, right);
  if (left.kind !== 'literal' || right.kind !== 'literal') return UNKNOWN;
  if (operator === '===' || operator === '==') return literal(left.value === right.value);
  if (operator === '!==' || operator === '!=') return literal(left.value !== right.value);
  return UNKNOWN;
}

/** Reads a condition, and tells which names it looks at and whether it asks for consent. */
export function readCondition(
  machine: Machine,
  test: ESTree.Node,
): { value: Value; note: { consent: boolean; names: string[] } } {
  const outer = machine.condition;
  const note = { consent: false, names: [] as string[] };
  machine.condition = note;
  const value = machine.evaluate(test);
  machine.condition = outer;
  if (outer) {
    outer.consent ||= note.consent;
    if (outer.names.length < 64) outer.names.push(...note.names.slice(0, 16));
  }
  return { value, note };
}

function readLogical(machine: Machine, node: ESTree.LogicalExpression): Value {
  const spine: ESTree.LogicalExpression[] = [];
  let leftmost: ESTree.Node = node;
  while (leftmost.type === 'LogicalExpression') {
    spine.push(leftmost);
    leftmost = leftmost.left;
  }
  let { value, note } = readCondition(machine, leftmost);
  for (let part = spine.pop(); part; part = spine.pop()) {
    const { right, operator } = part;
    const known = truth(value);
    const settled = value.kind === 'literal' && known !== null;
    if (settled && operator !== '??' && known === (operator === '||')) continue;
    let result: Value = UNKNOWN;
    const heard = { consent: false, names: [] as string[] };
    const read = () => {
      const inner = readCondition(machine, right);
      result = inner.value;
      Object.assign(heard, inner.note);
    };
    // `a || b` gives b where a is missing, which is no guard on a.
    if (settled) read();
    else machine.branch([read], operator === '&&' ? note : { consent: note.consent, names: [] });
    value = settled || operator === '&&' ? result : either(value, result);
    note = { consent: note.consent || heard.consent, names: [...note.names, ...heard.names].slice(0, 16) };
  }
  return value;
}

/** `window.queue || []` is still the queue. */
const either = (left: Value, right: Value): Value =>
  (left.kind === 'path' && right.kind !== 'literal' && right.kind !== 'text') ||
  left.kind === 'element' ||
  left.kind === 'object'
    ? left
    : choice([left, right]);

function readConditional(machine: Machine, node: ESTree.ConditionalExpression): Value {
  const { value, note } = readCondition(machine, node.test);
  const known = value.kind === 'literal' ? truth(value) : null;
  if (known !== null) return machine.evaluate(known ? node.consequent : node.alternate);
  let yes: Value = UNKNOWN;
  let no: Value = UNKNOWN;
  machine.branch(
    [
      () => {
        yes = machine.evaluate(node.consequent);
      },
      () => {
        no = machine.evaluate(node.alternate);
      },
    ],
    note,
  );
  return choice([yes, no]);
}

function readAssignment(machine: Machine, node: ESTree.AssignmentExpression): Value {
  const offset = node.start ?? 0;
  const { left, operator } = node;
  if (left.type === 'MemberExpression') {
    const { object, key } = readMember(machine, left, true);
    const right = machine.evaluate(node.right);
    const value = operator === '=' ? right : operator === '+=' ? UNKNOWN : choice([UNKNOWN, right]);
    if (key === 'src' || key === 'href') {
      const element = object.kind === 'element' ? object.tag : 'unknown';
      if (key === 'src') for (const url of texts(value)) machine.emit(offset, { op: 'load', url, element });
    }
    if ((key === 'innerHTML' || key === 'outerHTML') && value.kind !== 'unknown') {
      for (const html of texts(value)) if (html.includes('<')) machine.emit(offset, { op: 'write', html });
    }
    if (/^on[a-z]+$/.test(key ?? '') && value.kind === 'function') machine.postpone(value, speaksOfConsent(key!));
    if (key === null) return value;
    if (object.kind === 'object') object.entries.set(key, value);
    const base = object.kind === 'path' ? object.path : 'at' in object ? object.at : undefined;
    if (base !== undefined && base.split('.', 4).length < 4) {
      const path = base ? `${base}.${key}` : key;
      if (operator === '=' || operator === '||=' || operator === '??=') {
        const kept = operator === '=' ? value : ({ kind: 'path', path } as Value);
        machine.assignGlobal(path, kept, offset, false);
        if (value.kind === 'function') machine.emit(offset, { op: 'define', path, empty: isEmpty(value) });
        const named = machine.global(path);
        return named.kind === 'path' && named.path === path ? named : value;
      }
    }
    return value;
  }
  const right = machine.evaluate(node.right);
  if (left.type === 'Identifier') {
    const value =
      operator === '='
        ? right
        : operator === '+='
          ? add(machine.lookup(left.name), right)
          : either(machine.lookup(left.name), right);
    machine.assign(left.name, value, offset);
    const named = machine.lookup(left.name);
    return named.kind === 'path' ? named : value;
  }
  if (left.type === 'ArrayPattern' || left.type === 'ObjectPattern') machine.bind(left, right);
  return right;
}

const isEmpty = (value: Value): boolean =>
  value.kind === 'function' && value.node.body?.type === 'BlockStatement' && value.node.body.body.length === 0;

function readObject(machine: Machine, node: ESTree.ObjectExpression): Value {
  const entries = new Map<string, Value>();
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') {
      const spread = machine.evaluate(property.argument);
      if (spread.kind === 'object') for (const [key, value] of spread.entries) entries.set(key, value);
      continue;
    }
    if (property.type !== 'Property') continue;
    const computed = property.computed ? exactText(machine.evaluate(property.key)) : null;
    const key = property.computed
      ? computed
      : property.key.type === 'Identifier'
        ? property.key.name
        : property.key.type === 'Literal'
          ? String(property.key.value)
          : null;
    const value = machine.evaluate(property.value);
    if (key === null) continue;
    entries.set(key, value);
    if (WATCHED_KEYS.has(key)) {
      const { start, end } = property.value;
      machine.emit(start ?? 0, { op: 'data', key, value, from: start ?? 0, to: end ?? 0 });
    }
  }
  return { kind: 'object', entries };
}

function readUnary(machine: Machine, node: ESTree.UnaryExpression): Value {
  const value = machine.evaluate(node.argument);
  if (node.operator === 'void') return UNDEFINED;
  if (node.operator === '!') {
    const known = value.kind === 'literal' ? truth(value) : null;
    return known === null ? UNKNOWN : literal(!known);
  }
  if (node.operator === '-' && value.kind === 'literal' && typeof value.value === 'number')
    return literal(-value.value);
  return UNKNOWN;
}
