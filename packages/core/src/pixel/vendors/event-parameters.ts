import { type EventParameters, MAX_PARAMETER_TEXT, type ParameterValue } from '../model/event-parameters.ts';
import type { Value } from '../script/value.ts';

/** Limits on the parameters that an observation contains. Documented events are far below these limits. */
const MAX_PARAMETERS = 40;
const MAX_ITEMS = 20;
/** Maximum nesting depth: the parameters, the item list, and each item's own parameters. */
const MAX_DEPTH = 3;

const UNKNOWN: ParameterValue = { kind: 'unknown' };
const NONE: EventParameters = { values: new Map(), complete: 'yes' };
const UNRESOLVABLE: EventParameters = { values: new Map(), complete: 'no' };

/**
 * Reads the parameters in the arguments of one page's calls. The number and length of the parameters are limited, and
 * calls that pass the same object share one result, so that a malicious page can't make the observations large.
 *
 * @example new ParameterReader().read(undefined) // { values: new Map(), complete: 'yes' }
 */
export class ParameterReader {
  /** Results for objects and lists, by nesting level. */
  readonly #read = Array.from({ length: MAX_DEPTH }, () => new Map<Value, ParameterValue>());

  /** Returns the parameters in an argument. If the argument is omitted, returns no parameters. */
  read(argument: Value | undefined): EventParameters {
    if (!argument || (argument.kind === 'literal' && (argument.value === undefined || argument.value === null)))
      return NONE;
    const value = this.#value(argument, 0);
    return value.kind === 'object' ? value.parameters : UNRESOLVABLE;
  }

  #value(value: Value, depth: number): ParameterValue {
    if (value.kind === 'literal') {
      const { value: known, derived } = value;
      if (known === undefined || (typeof known === 'string' && known.length > MAX_PARAMETER_TEXT)) return UNKNOWN;
      return { kind: 'known', value: known, direct: derived !== true };
    }
    if (value.kind === 'text')
      return value.value.length > MAX_PARAMETER_TEXT ? UNKNOWN : { kind: 'partial', text: value.value };
    if ((value.kind !== 'list' && value.kind !== 'object') || depth >= MAX_DEPTH) return UNKNOWN;
    const before = this.#read[depth]!.get(value);
    if (before) return before;
    const result: ParameterValue =
      value.kind === 'list' ? this.#list(value, depth) : { kind: 'object', parameters: this.#parameters(value, depth) };
    this.#read[depth]!.set(value, result);
    return result;
  }

  #list({ items, named }: Extract<Value, { kind: 'list' }>, depth: number): ParameterValue {
    const known = items.slice(0, MAX_ITEMS).map(item => this.#value(item, depth + 1));
    return { kind: 'list', items: known, exact: !named && items.length <= MAX_ITEMS };
  }

  #parameters({ entries, open, named }: Extract<Value, { kind: 'object' }>, depth: number): EventParameters {
    const values = new Map<string, ParameterValue>();
    for (const [name, value] of entries) {
      if (values.size >= MAX_PARAMETERS) break;
      values.set(name.slice(0, MAX_PARAMETER_TEXT), this.#value(value, depth + 1));
    }
    const isCut = entries.size > MAX_PARAMETERS;
    return { values, complete: open || isCut ? 'no' : named ? 'assumed' : 'yes' };
  }
}
