import { UNRESOLVED } from '../model/unresolved.ts';
import { add, choice, exactText, literalValue, UNKNOWN, type Value } from './value.ts';

const decoders: Readonly<Record<string, (text: string) => string>> = {
  unescape: text =>
    text.replace(/%([0-9a-f]{2})/gi, (_found, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  decodeURI: decodeURI,
  decodeURIComponent: decodeURIComponent,
  encodeURIComponent: encodeURIComponent,
  String: text => text,
};

/**
 * Evaluates a call to a window function that converts a string to another string. Returns `null` if `path` isn't such a
 * function.
 */
export function callStringFunction(path: string, args: readonly Value[]): Value | null {
  const decoder = Object.hasOwn(decoders, path) ? decoders[path] : undefined;
  const [first] = args;
  if (!decoder || !first) return null;
  if (first.kind === 'choice') return choice(first.options.map(o => callStringFunction(path, [o]) ?? UNKNOWN));
  if (first.kind !== 'literal' && first.kind !== 'text') return UNKNOWN;
  const text = String(first.value);
  if (text.length > 16_384) return UNKNOWN;
  try {
    const result = text.split(UNRESOLVED).map(decoder).join(UNRESOLVED);
    return first.kind === 'literal' ? literalValue(result) : { kind: 'text', value: result };
  } catch {
    return UNKNOWN;
  }
}

/**
 * Evaluates string methods and some array methods, such as `join`. Returns `null` for any other receiver or array
 * method.
 */
export function callStringMethod(receiver: Value, method: string, args: readonly Value[]): Value | null {
  if (receiver.kind === 'list') {
    if (method === 'join') {
      const separator = args.length > 0 ? exactText(args[0]) : ',';
      if (separator === null || receiver.items.length > 200) return UNKNOWN;
      return receiver.items.reduce<Value>(
        (text, item, i) => add(i > 0 ? add(text, literalValue(separator)) : text, item),
        literalValue(''),
      );
    }
    if (method === 'concat')
      return {
        kind: 'list',
        items: [...receiver.items, ...args.flatMap(a => (a.kind === 'list' ? a.items : [a]))].slice(0, 1_000),
      };
    return null;
  }
  const text = receiver.kind === 'literal' && typeof receiver.value === 'number' ? String(receiver.value) : null;
  if (
    text === null &&
    (receiver.kind !== 'text' || method !== 'concat') &&
    !(receiver.kind === 'literal' && typeof receiver.value === 'string')
  ) {
    return receiver.kind === 'text' ? UNKNOWN : null;
  }
  if (method === 'concat') return args.reduce<Value>((sum, a) => add(sum, a), receiver);
  const whole = text ?? exactText(receiver) ?? '';
  const [first, second] = args;
  switch (method) {
    case 'toString':
    case 'trim':
    case 'valueOf':
      return literalValue(whole.trim());
    case 'toLowerCase':
      return literalValue(whole.toLowerCase());
    case 'toUpperCase':
      return literalValue(whole.toUpperCase());
    case 'replace': {
      const from = exactText(first);
      const to = exactText(second);
      return from !== null && to !== null ? literalValue(whole.replace(from, () => to)) : UNKNOWN;
    }
    case 'split': {
      const by = exactText(first);
      if (by === null || whole.length > 4096) return UNKNOWN;
      const parts = whole.split(by);
      return parts.length > 200 ? UNKNOWN : { kind: 'list', items: parts.map(literalValue) };
    }
    case 'slice':
    case 'substring':
    case 'substr': {
      const from = Number(exactText(first) ?? Number.NaN);
      const to = second ? Number(exactText(second) ?? Number.NaN) : whole.length;
      return Number.isNaN(from) || Number.isNaN(to) || method === 'substr'
        ? UNKNOWN
        : literalValue(whole[method](from, to));
    }
    default:
      return UNKNOWN;
  }
}
