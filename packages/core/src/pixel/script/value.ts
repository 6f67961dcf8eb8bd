import type { ESTree } from 'meriyah';
import { UNRESOLVED } from '../model/unresolved.ts';

/** A function on the page, with its scope. */
export interface FunctionValue {
  readonly kind: 'function';
  readonly node: ESTree.FunctionDeclaration | ESTree.FunctionExpression | ESTree.ArrowFunctionExpression;
  readonly scope: Scope;
  /** Index of the script that contains the function. */
  readonly script: number;
}

/**
 * A value, to the extent that static analysis can determine it. `path` is a window property's path, such as `fbq` or
 * `ga.q`. The window itself has an empty path. If an object or list is the value of a window property, `at` is that
 * property's path. `text` is a string in which `UNRESOLVED` marks unknown parts. `choice` is one of several possible
 * values.
 *
 * An object or list is `named` if a variable or property refers to it, which means that other code might change it. An
 * object is `open` if code adds entries that can't be resolved. In an object, a literal is `derived` if the code
 * computes the value or reads it from a variable.
 */
export type Value =
  | {
      readonly kind: 'literal';
      readonly value: string | number | boolean | null | undefined;
      readonly derived?: true;
    }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'path'; readonly path: string; readonly alias?: boolean }
  | { readonly kind: 'object'; readonly entries: Map<string, Value>; at?: string; named?: true; open?: true }
  | { readonly kind: 'list'; readonly items: Value[]; readonly isArguments?: boolean; at?: string; named?: true }
  | { readonly kind: 'element'; readonly tag: string }
  | { readonly kind: 'choice'; readonly options: readonly Value[] }
  | FunctionValue
  | { readonly kind: 'unknown' };

/** Names that a function declares. Block scopes are merged into the function's scope. */
export interface Scope {
  readonly names: Map<string, Value>;
  readonly up: Scope | null;
}

export const UNKNOWN: Value = { kind: 'unknown' };
export const UNDEFINED: Value = { kind: 'literal', value: undefined };
export const WINDOW: Value = { kind: 'path', path: '' };

export const literalValue = (value: string | number | boolean | null | undefined): Value => ({
  kind: 'literal',
  value,
});

const MAX_TEXT = 16_384;
const MAX_OPTIONS = 4;

/** Returns a known string unchanged, a known number as a decimal string, or `null` for any other value. */
export function exactText(value: Value | undefined): string | null {
  if (value?.kind !== 'literal') return null;
  if (typeof value.value === 'string') return value.value;
  return typeof value.value === 'number' ? String(value.value) : null;
}

/**
 * Returns all possible strings for a value, with unresolved parts marked. Returns an empty list if the value is unknown
 * or isn't a string.
 */
export function texts(value: Value | undefined): string[] {
  if (!value) return [];
  if (value.kind === 'literal') return typeof value.value === 'string' ? [value.value] : [];
  if (value.kind === 'text') return [value.value];
  if (value.kind === 'choice') return value.options.flatMap(texts);
  return [];
}

/** Combines alternative values. Merges equal literals. Returns an unknown value if there are too many alternatives. */
export function choice(options: readonly Value[]): Value {
  const flat = options.some(o => o.kind === 'choice')
    ? options.flatMap(o => (o.kind === 'choice' ? o.options : [o]))
    : options;
  const kept: Value[] = [];
  for (const option of flat) {
    const same = kept.some(
      k => k === option || (k.kind === 'literal' && option.kind === 'literal' && k.value === option.value),
    );
    if (!same) kept.push(option);
    if (kept.length > MAX_OPTIONS) return UNKNOWN;
  }
  if (kept.length === 1) return kept[0]!;
  return { kind: 'choice', options: kept };
}

/** Adds two values as JavaScript does. Keeps the known parts of strings and marks the other parts as unresolved. */
export function add(left: Value, right: Value): Value {
  if (left.kind === 'choice') return choice(left.options.map(l => add(l, right)));
  if (right.kind === 'choice') return choice(right.options.map(r => add(left, r)));
  if (left.kind === 'literal' && right.kind === 'literal') {
    if (typeof left.value === 'number' && typeof right.value === 'number')
      return literalValue(left.value + right.value);
    return bounded(`${left.value}${right.value}`, true);
  }
  const a = part(left);
  const b = part(right);
  if (a === UNRESOLVED && b === UNRESOLVED) return UNKNOWN;
  return bounded(a + b, false);
}

const part = (value: Value): string => {
  if (value.kind === 'literal') return String(value.value);
  return value.kind === 'text' ? value.value : UNRESOLVED;
};

function bounded(text: string, exact: boolean): Value {
  if (text.length > MAX_TEXT) return UNKNOWN;
  return exact ? literalValue(text) : { kind: 'text', value: text };
}

/** Returns whether a value is truthy, or `null` if its truthiness is unknown. */
export function truth(value: Value): boolean | null {
  if (value.kind === 'literal') return Boolean(value.value);
  if (value.kind === 'object' || value.kind === 'list' || value.kind === 'function' || value.kind === 'element')
    return true;
  return null;
}

/** Returns an entry of an object value, or `undefined` if the value isn't an object with that entry. */
export const entry = (value: Value | undefined, key: string): Value | undefined =>
  value?.kind === 'object' ? value.entries.get(key) : undefined;
