import type { ESTree } from 'meriyah';
import { type Interpreter, mentionsConsent } from './interpreter.ts';
import { readMember } from './member.ts';
import { callStringFunction, callStringMethod } from './string-methods.ts';
import { choice, exactText, type FunctionValue, texts, UNKNOWN, type Value, WINDOW } from './value.ts';

/** Array methods that call their callback synchronously. */
const SYNCHRONOUS = new Set(['forEach', 'map', 'filter', 'some', 'every', 'find', 'reduce', 'flatMap']);
const SILENT_ROOTS = new Set(
  'document console Math JSON Object Array Number Date Reflect performance localStorage'.split(' '),
);
/** Tag functions and queues, which don't change their arguments. */
const TAG_ROOTS = new Set('fbq _fbq gtag ga ttq pintrk twq rdt snaptr uetq'.split(' '));
const MAX_TURNS = 8;

/** Evaluates a call or `new` expression: the arguments, the known effects, and the return value. */
export function invoke(interpreter: Interpreter, node: ESTree.CallExpression | ESTree.NewExpression): Value {
  const offset = node.start ?? 0;
  const callee: ESTree.Node = node.callee.type === 'ChainExpression' ? node.callee.expression : node.callee;
  let receiver: Value = WINDOW;
  let method: string | null = null;
  let target: Value;
  if (callee.type === 'MemberExpression') {
    const read = readMember(interpreter, callee);
    receiver = read.object;
    method = read.key;
    target = read.value;
  } else {
    target = interpreter.evaluate(callee);
  }
  const args = readArguments(interpreter, node.arguments);
  if (isCookieGetter(callee, args.length)) {
    const name = exactText(args[0]) ?? '';
    if (LEGACY_COOKIES.has(name)) interpreter.emit(offset, { op: 'literal', text: name });
  }

  // Treat `f.call(self, …)` and `f.apply(self, […])` as calls to `f`.
  if (method === 'call' || method === 'apply') {
    const inner = callable(receiver);
    if (inner) {
      const list = args[1];
      const passed = method === 'call' ? args.slice(1) : list?.kind === 'list' ? list.items : null;
      return perform(
        interpreter,
        inner,
        passed,
        args[0] ?? UNKNOWN,
        offset,
        list?.kind === 'list' && list.isArguments === true,
      );
    }
  }
  if (method === 'bind' && callable(receiver) && args.length <= 1) return receiver;
  if (method !== null) {
    const known = readMethod(interpreter, receiver, method, args, offset);
    if (known) return known;
  }
  const found = callable(target);
  if (found) return perform(interpreter, found, args, receiver, offset, false);
  openArguments(args);
  deferCallbacks(interpreter, args, method ?? '');
  return UNKNOWN;
}

/** Cookies that Shopify no longer sets. */
const LEGACY_COOKIES = new Set(
  '_shopify_s _shopify_y _shopify_country _tracking_consent _landing_page _orig_referrer'.split(' '),
);

/**
 * Returns whether a function's name indicates that it reads a cookie, as in `getCookie(name)` or `Cookies.get(name)`.
 */
function isCookieGetter(callee: ESTree.Node, count: number): boolean {
  const names =
    callee.type === 'Identifier'
      ? [callee.name]
      : callee.type === 'MemberExpression'
        ? [callee.object, callee.property].map(part => (part.type === 'Identifier' ? part.name : ''))
        : [];
  const name = names.join('.');
  if (name.length > 80 || !/cookie/i.test(name)) return false;
  // `$.cookie(name, value)` sets a cookie.
  return !/set|remove|delete|erase|expire|clear|write|create/i.test(name) && (count === 1 || !/\.cookie$/i.test(name));
}

function readArguments(interpreter: Interpreter, nodes: readonly ESTree.Node[]): Value[] {
  const args: Value[] = [];
  for (const node of nodes) {
    if (node.type === 'SpreadElement') {
      const spread = interpreter.evaluate(node.argument);
      if (spread.kind === 'list') args.push(...spread.items);
      else args.push(UNKNOWN);
    } else args.push(interpreter.evaluate(node));
  }
  return args;
}

type Callable = FunctionValue | Extract<Value, { kind: 'path' }>;

function callable(value: Value): Callable | null {
  if (value.kind === 'function' || (value.kind === 'path' && value.path)) return value as Callable;
  if (value.kind !== 'choice') return null;
  for (const option of value.options) {
    const found = callable(option);
    if (found) return found;
  }
  return null;
}

function perform(
  interpreter: Interpreter,
  target: Callable,
  args: readonly Value[] | null,
  self: Value,
  offset: number,
  forwardsArguments: boolean,
): Value {
  const { frame } = interpreter;
  if (target.kind === 'function') {
    // Helpers that copy objects, for example in compiler output, add properties to an empty object in ways that are
    // hard to follow.
    for (const arg of args ?? []) if (arg.kind === 'object' && arg.entries.size === 0) arg.open = true;
    const result = interpreter.callFunction(target, args, self, { script: frame.script, offset });
    if (args) deferCallbacks(interpreter, args, '');
    return result;
  }
  const { path } = target;
  const known = args ? callStringFunction(path, args) : null;
  if (known) return known;
  const first = args?.[0];
  if (path === 'document.createElement' || path === 'document.createElementNS') {
    const tag = exactText(path.endsWith('NS') ? args?.[1] : first);
    return { kind: 'element', tag: tag?.toLowerCase() ?? 'unknown' };
  }
  if (path === 'Image') return { kind: 'element', tag: 'img' };
  const root = path.slice(0, path.indexOf('.') < 0 ? undefined : path.indexOf('.'));
  if (path === 'document.write' || path === 'document.writeln') {
    for (const html of texts(args?.length === 1 ? first : undefined)) interpreter.emit(offset, { op: 'write', html });
  } else if (path === 'Object.assign') {
    openArguments(args ?? []);
  } else if (!SILENT_ROOTS.has(root)) {
    if (!TAG_ROOTS.has(root) && !path.endsWith('.push')) openArguments(args ?? []);
    const caller = forwardsArguments ? frame.call : null;
    const at = caller?.script === frame.script ? caller.offset : offset;
    const confidence = target.alias ? 'possible' : undefined;
    interpreter.emit(at, { op: 'call', path, args: args ?? [UNKNOWN], alias: target.alias === true }, confidence);
    emitUrls(interpreter, path, args ?? [], offset);
  }
  deferCallbacks(interpreter, args ?? [], path);
  return UNKNOWN;
}

/** Emits an effect for each URL that a call to a window function requests or might load. */
function emitUrls(interpreter: Interpreter, path: string, args: readonly Value[], offset: number): void {
  const last = path.slice(path.lastIndexOf('.') + 1);
  const first = args[0];
  if (last === 'fetch' || last === 'sendBeacon') {
    for (const url of texts(first)) interpreter.emit(offset, { op: 'request', url });
    return;
  }
  const options = first?.kind === 'object' ? first : args[1]?.kind === 'object' ? args[1] : null;
  const candidates = [first, options?.entries.get('url'), options?.entries.get('src')];
  if (first?.kind === 'list') candidates.push(...first.items.slice(0, 8));
  for (const candidate of candidates) {
    for (const text of texts(candidate)) {
      if (text.length > 2048 || !text.includes('//')) continue;
      if (text.includes('<')) interpreter.emit(offset, { op: 'write', html: text }, 'possible');
      else if (last === 'getScript' || /loadscript|loadjs/i.test(last))
        interpreter.emit(offset, { op: 'load', url: text, element: 'script' });
      else if (last === 'ajax' || last === 'post' || last === 'get')
        interpreter.emit(offset, { op: 'request', url: text });
      else interpreter.emit(offset, { op: 'load', url: text, element: 'unknown' }, 'possible');
    }
  }
}

/** Evaluates a call to a method that works the same way on every receiver, or to a method of a known value. */
function readMethod(
  interpreter: Interpreter,
  receiver: Value,
  method: string,
  args: readonly Value[],
  offset: number,
): Value | null {
  if (method === 'setAttribute' && exactText(args[0]) === 'src') {
    const element = receiver.kind === 'element' ? receiver.tag : 'unknown';
    for (const url of texts(args[1])) interpreter.emit(offset, { op: 'load', url, element });
    return UNKNOWN;
  }
  if (method === 'open' && args.length >= 2 && receiver.kind !== 'path') {
    for (const url of texts(args[1])) interpreter.emit(offset, { op: 'request', url });
    return UNKNOWN;
  }
  if (method === 'insertAdjacentHTML') {
    for (const html of texts(args[1])) interpreter.emit(offset, { op: 'write', html });
    return UNKNOWN;
  }
  if (receiver.kind === 'list') {
    const callback = args[0];
    if (SYNCHRONOUS.has(method) && callback?.kind === 'function') {
      const turns =
        receiver.items.length > 0 && receiver.items.length <= MAX_TURNS && !receiver.isArguments
          ? receiver.items
          : [UNKNOWN];
      interpreter.withConfidence('possible', () => {
        for (const item of turns) interpreter.callFunction(callback, [item, UNKNOWN], UNKNOWN, null);
      });
      return UNKNOWN;
    }
    if (method === 'push' && receiver.at === undefined && receiver.items.length < 1_000) receiver.items.push(...args);
    if ((method === 'push' || method === 'unshift') && receiver.at !== undefined) {
      interpreter.emit(offset, { op: 'call', path: `${receiver.at}.${method}`, args, alias: false });
      deferCallbacks(interpreter, args, method);
      return UNKNOWN;
    }
  }
  if (receiver.kind === 'object' && receiver.at && !receiver.entries.has(method)) {
    interpreter.emit(offset, { op: 'call', path: `${receiver.at}.${method}`, args, alias: false });
    deferCallbacks(interpreter, args, method);
    return UNKNOWN;
  }
  if (receiver.kind === 'choice' && texts(receiver).length === receiver.options.length) {
    return choice(receiver.options.map(o => callStringMethod(o, method, args) ?? UNKNOWN));
  }
  return callStringMethod(receiver, method, args);
}

/** Marks the objects passed to unknown code as open, because the code might add entries to them. */
function openArguments(args: readonly Value[]): void {
  for (const arg of args) if (arg.kind === 'object') arg.open = true;
}

/**
 * Defers functions passed to unknown code. The state of these functions is `gated` if they wait for consent, or `later`
 * otherwise.
 */
function deferCallbacks(interpreter: Interpreter, args: readonly Value[], callee: string): void {
  if (args.every(a => a.kind === 'literal' || a.kind === 'unknown' || a.kind === 'path')) return;
  const gated = mentionsConsent(callee) || args.some(a => texts(a).some(mentionsConsent) || waitsForConsent(a));
  const put = (value: Value, level: number): void => {
    if (value.kind === 'function') {
      if (!interpreter.wasCalled(value)) interpreter.defer(value, gated);
    } else if (level < 3 && (value.kind === 'object' || value.kind === 'list')) {
      const inner = value.kind === 'object' ? value.entries : value.items;
      const size = value.kind === 'object' ? value.entries.size : value.items.length;
      if (!interpreter.mayRepeat(size)) return;
      for (const one of inner.values()) put(one, level + 1);
    }
  };
  for (const arg of args) put(arg, 0);
}

/**
 * Returns whether an argument makes the call wait for the consent API, as in
 * `loadFeatures([{ name: 'consent-tracking-api' }], …)`.
 */
const waitsForConsent = (value: Value): boolean =>
  value.kind === 'list' &&
  value.items
    .slice(0, 8)
    .some(i => i.kind === 'object' && [...i.entries.values()].slice(0, 8).some(v => texts(v).some(mentionsConsent)));
