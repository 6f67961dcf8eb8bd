import type { ESTree } from 'meriyah';
import { HOLE } from '../html/url.ts';

/** A function of the page, with the names it can see. */
export interface FunctionValue {
  readonly kind: 'function';
  readonly node: ESTree.FunctionDeclaration | ESTree.FunctionExpression | ESTree.ArrowFunctionExpression;
  readonly scope: Scope;
  /** The script that holds it. */
  readonly script: number;
}

/**
 * What static reading knows about a value. `path` is a name that hangs on the window (`fbq`, `ga.q`; the window itself is
 * the empty path); an object or list that was stored under such a name carries it as `at`. `text` is a string of which `HOLE` marks the parts that are not known. `choice` is one of a few.
 */
export type Value =
  | {
      readonly kind: 'literal';
      readonly value: string | number | boolean | null | undefined;
      readonly written?: string;
    }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'path'; readonly path: string; readonly alias?: boolean }
  | { readonly kind: 'object'; readonly entries: Map<string, Value>; at?: string }
  | { readonly kind: 'list'; readonly items: Value[]; readonly isArguments?: boolean; at?: string }
  | { readonly kind: 'element'; readonly tag: string }
  | { readonly kind: 'choice'; readonly options: readonly Value[] }
  | FunctionValue
  | { readonly kind: 'unknown' };

/** The names one function declares. Block scopes are folded into their function. */
export interface Scope {
  readonly names: Map<string, Value>;
  readonly up: Scope | null;
}

export const UNKNOWN: Value = { kind: 'unknown' };
export const UNDEFINED: Value = { kind: 'literal', value: undefined };
export const WINDOW: Value = { kind: 'path', path: '' };

export const literal = (value: string | number | boolean | null | undefined): Value => ({ kind: 'literal', value });

const MAX_TEXT = 16_384;
const MAX_OPTIONS = 4;

/** The text of a value when all of it is known, else `null`. Numbers count as their decimal form. */
export function exactText(value: Value | undefined): string | null {
  if (value?.kind !== 'literal') return null;
  if (typeof value.value === 'string') return value.value;
  return typeof value.value === 'number' ? String(value.value) : null;
}

/** Every text a value may have, with holes. Empty when nothing is known. */
export function texts(value: Value | undefined): string[] {
  if (!value) return [];
  if (value.kind === 'literal') return typeof value.value === 'string' ? [value.value] : [];
  if (value.kind === 'text') return [value.value];
  if (value.kind === 'choice') return value.options.flatMap(texts);
  return [];
}

/** One of several values; equal literals fold, and too many become unknown. */
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

/** Adds as JavaScript does when one side is a string; keeps what is known and marks the rest. */
export function add(left: Value, right: Value): Value {
  if (left.kind === 'choice') return choice(left.options.map(l => add(l, right)));
  if (right.kind === 'choice') return choice(right.options.map(r => add(left, r)));
  if (left.kind === 'literal' && right.kind === 'literal') {
    if (typeof left.value === 'number' && typeof right.value === 'number') return literal(left.value + right.value);
    return bounded(`${left.value}${right.value}`, true);
  }
  const a = part(left);
  const b = part(right);
  if (a === HOLE && b === HOLE) return UNKNOWN;
  return bounded(a + b, false);
}

const part = (value: Value): string => {
  if (value.kind === 'literal') return String(value.value);
  return value.kind === 'text' ? value.value : HOLE;
};

function bounded(text: string, exact: boolean): Value {
  if (text.length > MAX_TEXT) return UNKNOWN;
  return exact ? literal(text) : { kind: 'text', value: text };
}

/** Whether a value is true in a condition; `null` when it is not known. */
export function truth(value: Value): boolean | null {
  if (value.kind === 'literal') return Boolean(value.value);
  if (value.kind === 'object' || value.kind === 'list' || value.kind === 'function' || value.kind === 'element')
    return true;
  return null;
}

/** The entry of an object value, or `undefined`. */
export const entry = (value: Value | undefined, key: string): Value | undefined =>
  value?.kind === 'object' ? value.entries.get(key) : undefined;
