import type { EventParameters, ParameterValue } from '../model/event-parameters.ts';
import type { Confidence } from '../model/execution.ts';
import type { ReportedMessage } from '../model/message.ts';
import { UNRESOLVED } from '../model/unresolved.ts';
import { currencyCodes, type EventContract } from './contracts.ts';

/**
 * A difference between an event and its contract.
 *
 * - `missing`: a required parameter is missing or empty, or an optional non-text parameter is empty.
 * - `not_a_number`, `not_a_currency`: the vendor can't parse the value.
 * - `not_items`: the value isn't a list of items, or the list is empty.
 * - `item_without_id`: an item has none of the parameters that identify it.
 * - `not_recommended`: the event has none of a group's recommended parameters. `parameter` is the first parameter in
 *   the group.
 */
export interface EventViolation {
  readonly parameter: string;
  readonly problem: 'missing' | 'not_a_number' | 'not_a_currency' | 'not_items' | 'item_without_id' | 'not_recommended';
  /** The value as text, or `null` if the problem isn't about a value. */
  readonly value: string | null;
  /** Confidence that the event violates the contract if it's sent with these parameters. */
  readonly confidence: Confidence;
}

const NO_DEFAULTS: EventParameters = { values: new Map(), complete: 'yes' };

/**
 * Checks an event against a vendor's contract. Returns no violations for unknown values or for events that aren't in
 * the contract. `defaults` are the parameters that the vendor's library adds to every event.
 *
 * The check depends only on the event name and parameters, so it works the same way for events in code, containers, and
 * requests.
 *
 * @example
 * checkEvent(metaContract, 'Purchase', { values: new Map(), complete: 'yes' }).map(v => `${v.parameter} ${v.problem}`)
 * // ['value missing', 'currency missing', 'content_ids not_recommended']
 */
export function checkEvent(
  contract: EventContract,
  name: string,
  { values, complete }: EventParameters,
  defaults: EventParameters = NO_DEFAULTS,
): EventViolation[] {
  if (!Object.hasOwn(contract.events, name)) return [];
  const event = contract.events[name]!;
  const violations: EventViolation[] = [];
  const add = (parameter: string, problem: EventViolation['problem'], value: string | null, confidence: Confidence) =>
    violations.push({ parameter, problem, value, confidence });

  // Report a parameter as missing only if neither the event nor the defaults can have unknown parameters.
  const known = complete !== 'no' && defaults.complete !== 'no';
  const inAll = complete === 'yes' ? 'certain' : 'likely';
  const has = (parameter: string): boolean => values.has(parameter) || defaults.values.has(parameter);
  const requires = new Set(event.required);
  if (contract.currency_with_value && values.has('value')) requires.add('currency');

  for (const parameter of requires) if (known && !has(parameter)) add(parameter, 'missing', null, inAll);
  for (const [parameter, type] of Object.entries(contract.parameters)) {
    const written = values.get(parameter);
    if (!written) continue;
    if (isEmpty(written)) {
      if (type !== 'text' || requires.has(parameter)) add(parameter, 'missing', '', 'certain');
      continue;
    }
    if (type === 'number') {
      const wrong = wrongNumber(written, contract.numeric_text);
      if (wrong) add(parameter, 'not_a_number', wrong.value, wrong.confidence);
    } else if (type === 'currency') {
      const wrong = wrongCurrency(written);
      if (wrong) add(parameter, 'not_a_currency', wrong.value, wrong.confidence);
    } else if (type === 'items') {
      const wrong = wrongItems(written, contract.item_ids);
      if (wrong) add(parameter, wrong.problem, wrong.value, wrong.confidence);
    }
  }
  for (const group of event.recommended) if (known && !group.some(has)) add(group[0]!, 'not_recommended', null, inAll);
  return violations;
}

/** A value that the vendor can't parse. */
interface WrongValue {
  readonly value: string;
  readonly confidence: Confidence;
}

/**
 * Returns whether the call itself passes null or an empty string. An empty variable doesn't count, because code that
 * the scan can't see might set its value.
 */
const isEmpty = (value: ParameterValue): boolean =>
  value.kind === 'known' && value.direct && (value.value === null || value.value === '');

const confidenceIn = (value: { readonly direct: boolean }): Confidence => (value.direct ? 'certain' : 'likely');

const isUnset = (value: ParameterValue & { kind: 'known' }): boolean =>
  !value.direct && (value.value === null || value.value === '');

/** Matches a character that isn't part of any number. */
const NOT_NUMERIC = /[^\d.+\-eE\s]/;

function wrongNumber(value: ParameterValue, numericText: RegExp): WrongValue | null {
  if (value.kind === 'partial') {
    const text = value.text.replaceAll(UNRESOLVED, '');
    return NOT_NUMERIC.test(text) ? { value: value.text.replaceAll(UNRESOLVED, '…'), confidence: 'likely' } : null;
  }
  if (value.kind === 'list' || value.kind === 'object') return { value: `a ${value.kind}`, confidence: 'likely' };
  if (value.kind !== 'known' || isUnset(value)) return null;
  const isNumber = typeof value.value === 'number' && Number.isFinite(value.value);
  if (isNumber || (typeof value.value === 'string' && numericText.test(value.value))) return null;
  return { value: String(value.value), confidence: confidenceIn(value) };
}

function wrongCurrency(value: ParameterValue): WrongValue | null {
  if (value.kind !== 'known' || isUnset(value)) return null;
  const isCode = typeof value.value === 'string' && currencyCodes.has(value.value.trim().toUpperCase());
  return isCode ? null : { value: String(value.value), confidence: confidenceIn(value) };
}

function wrongItems(
  value: ParameterValue,
  ids: readonly string[],
): (WrongValue & { readonly problem: 'not_items' | 'item_without_id' }) | null {
  if (value.kind === 'known' && !isUnset(value))
    return { problem: 'not_items', value: String(value.value), confidence: confidenceIn(value) };
  if (value.kind !== 'list') return null;
  if (value.items.length === 0 && value.exact) return { problem: 'not_items', value: '[]', confidence: 'certain' };
  for (const item of value.items) {
    if (item.kind !== 'object' || item.parameters.complete === 'no') continue;
    if (ids.some(id => item.parameters.values.has(id))) continue;
    const confidence = item.parameters.complete === 'yes' ? 'certain' : 'likely';
    return {
      problem: 'item_without_id',
      value: `{${[...item.parameters.values.keys()].slice(0, 5).join(', ')}}`,
      confidence,
    };
  }
  return null;
}

/** Violation messages. Each message names the event, and most messages name the parameter and quote the value. */
export const VIOLATION_MESSAGES = {
  missing: 'The {event} event is missing the {parameter} parameter.',
  empty: 'The {event} event has an empty {parameter} parameter.',
  not_a_number: 'In the {event} event, {parameter} is "{value}", which isn\'t a number.',
  not_a_currency: 'In the {event} event, {parameter} is "{value}", which isn\'t an ISO 4217 currency code.',
  not_items: 'In the {event} event, {parameter} is "{value}", which isn’t a non-empty list.',
  item_without_id: 'In the {event} event, the item {value} has neither an item_id nor an item_name.',
  not_recommended: "The {event} event doesn't identify products with a content_ids or contents parameter.",
} as const;

/**
 * Returns the message for a violation.
 *
 * @example
 * violationMessage('Purchase', { parameter: 'value', problem: 'not_a_number', value: '$12', confidence: 'certain' })
 * // { message: 'not_a_number', values: { event: 'Purchase', parameter: 'value', value: '$12' } }
 */
export function violationMessage(
  event: string,
  { parameter, problem, value }: EventViolation,
): ReportedMessage<typeof VIOLATION_MESSAGES> {
  const shown = (value ?? '').slice(0, MAX_SHOWN);
  switch (problem) {
    case 'missing':
      return { message: value === null ? 'missing' : 'empty', values: { event, parameter } };
    case 'item_without_id':
      return { message: problem, values: { event, value: shown } };
    case 'not_recommended':
      return { message: problem, values: { event } };
    default:
      return { message: problem, values: { event, parameter, value: shown } };
  }
}

/** Maximum length of a value in a message. */
const MAX_SHOWN = 40;
