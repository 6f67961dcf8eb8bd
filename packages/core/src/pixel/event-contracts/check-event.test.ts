import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventParameters, ParameterValue } from '../model/event-parameters.ts';
import { formatMessage } from '../model/message.ts';
import { UNRESOLVED } from '../model/unresolved.ts';
import { checkEvent, VIOLATION_MESSAGES, violationMessage } from './check-event.ts';
import { currencyCodes, ga4Contract, metaContract, parseContract } from './contracts.ts';

const known = (value: string | number | boolean | null, direct = true): ParameterValue => ({
  kind: 'known',
  value,
  direct,
});
const UNKNOWN: ParameterValue = { kind: 'unknown' };
const parameters = (
  values: Readonly<Record<string, ParameterValue>>,
  complete: EventParameters['complete'] = 'yes',
): EventParameters => ({ values: new Map(Object.entries(values)), complete });
const item = (...names: string[]): ParameterValue => ({
  kind: 'object',
  parameters: parameters(Object.fromEntries(names.map(name => [name, known('x')]))),
});
const items = (...list: ParameterValue[]): ParameterValue => ({ kind: 'list', items: list, exact: true });

const PURCHASE = { value: known(12.5), currency: known('USD'), content_ids: UNKNOWN };
const ORDER = {
  transaction_id: known('T1'),
  value: known(12.5),
  currency: known('USD'),
  items: items(item('item_id')),
};
const inMeta = (values: Readonly<Record<string, ParameterValue>>) =>
  checkEvent(metaContract, 'Purchase', parameters({ ...PURCHASE, ...values }));
const inGa4 = (values: Readonly<Record<string, ParameterValue>>) =>
  checkEvent(ga4Contract, 'purchase', parameters({ ...ORDER, ...values }));

const value: fc.Arbitrary<ParameterValue> = fc.oneof(
  fc.constant(UNKNOWN),
  fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null)).map(v => known(v)),
  fc.string().map(text => ({ kind: 'partial' as const, text: `${text}${UNRESOLVED}` })),
  fc.constant(items(item('price'))),
);
const event = fc.constantFrom(
  ...Object.keys(metaContract.events).map(name => [metaContract, name] as const),
  ...Object.keys(ga4Contract.events).map(name => [ga4Contract, name] as const),
);
const values = fc.dictionary(
  fc.constantFrom('value', 'currency', 'transaction_id', 'items', 'tax', 'content_ids', 'other'),
  value,
);

describe('a value', () => {
  it('is valid as a value parameter if it’s a number or a numeric string', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: 0, max: 1e9 }), number => {
        for (const value of [known(number), known(number.toFixed(2)), known(Math.round(number))]) {
          expect(inMeta({ value })).toEqual([]);
          expect(inGa4({ value })).toEqual([]);
        }
      }),
    );
  });

  it('is invalid as a value parameter if it contains a non-numeric character', () => {
    const symbol = fc.constantFrom('$', '€', ',', ' USD', '%', 'kr', '’');
    fc.assert(
      fc.property(fc.nat(), symbol, fc.boolean(), (number, sign, before) => {
        const text = before ? `${sign}${number}` : `${number}${sign}`;
        expect(inMeta({ value: known(text) })).toMatchObject([{ problem: 'not_a_number', value: text }]);
        expect(inGa4({ value: known(text) })).toMatchObject([{ problem: 'not_a_number', value: text }]);
      }),
    );
  });

  it('is invalid as a value parameter if its known part can’t occur in a number', () => {
    expect(inMeta({ value: { kind: 'partial', text: `$${UNRESOLVED}` } })).toMatchObject([
      { problem: 'not_a_number', value: '$…', confidence: 'likely' },
    ]);
    expect(inMeta({ value: { kind: 'partial', text: `${UNRESOLVED}.${UNRESOLVED}` } })).toEqual([]);
  });

  it('isn’t reported as invalid with `certain` confidence if it comes from a variable', () => {
    expect(inMeta({ value: known('', false) })).toEqual([]);
    expect(inMeta({ value: known('$12', false) })).toMatchObject([{ confidence: 'likely' }]);
  });
});

describe('a currency', () => {
  it('is valid if it’s an ISO 4217 code, regardless of case', () => {
    fc.assert(
      fc.property(fc.constantFrom(...currencyCodes), fc.mixedCase(fc.constant('usd')), (code, other) => {
        for (const currency of [known(code), known(code.toLowerCase()), known(other)]) {
          expect(inMeta({ currency })).toEqual([]);
          expect(inGa4({ currency })).toEqual([]);
        }
      }),
    );
  });

  it('is invalid if it’s text that isn’t an ISO 4217 code', () => {
    const text = fc.string({ minLength: 1 }).filter(t => !currencyCodes.has(t.trim().toUpperCase()));
    fc.assert(
      fc.property(text, currency => {
        expect(inMeta({ currency: known(currency) })).toMatchObject([{ problem: 'not_a_currency', value: currency }]);
        expect(inGa4({ currency: known(currency) })).toMatchObject([{ problem: 'not_a_currency', value: currency }]);
      }),
    );
  });

  it('is reported as missing only if the event has a value and no default sets a currency', () => {
    const { currency: _currency, ...order } = ORDER;
    const check = (defaults?: EventParameters) =>
      checkEvent(ga4Contract, 'purchase', parameters(order), defaults).map(v => v.parameter);
    expect(check()).toEqual(['currency']);
    expect(check(parameters({ currency: UNKNOWN }))).toEqual([]);
    expect(check(parameters({}, 'no'))).toEqual([]);
    expect(checkEvent(ga4Contract, 'view_cart', parameters({ items: ORDER.items }))).toEqual([]);
  });
});

describe('a list of items', () => {
  it.each([
    ['an item with neither an ID nor a name', items(item('item_id'), item('price')), 'item_without_id'],
    ['no items', items(), 'not_items'],
    ['text instead of items', known('41'), 'not_items'],
  ])('is invalid if it contains %s', (_name, list, problem) => {
    expect(inGa4({ items: list })).toMatchObject([{ parameter: 'items', problem }]);
  });

  it.each([
    [
      'identifies each item by ID or name, under a current or former parameter name',
      items(item('item_name'), item('id'), item('name')),
    ],
    ['is unknown', UNKNOWN],
    ['is changed by code', { kind: 'list', items: [], exact: false } as const],
    ['has an item with unknown parameters', items({ kind: 'object', parameters: parameters({}, 'no') })],
  ])('isn’t reported as invalid if it %s', (_name, list) => {
    expect(inGa4({ items: list })).toEqual([]);
  });
});

describe('event checking', () => {
  it('reports every missing required parameter unless some of the event’s parameters might be unknown', () => {
    const problems = (complete: EventParameters['complete']) =>
      checkEvent(ga4Contract, 'purchase', parameters({}, complete)).map(v => [v.parameter, v.confidence]);
    expect(problems('yes')).toEqual([
      ['transaction_id', 'certain'],
      ['value', 'certain'],
      ['items', 'certain'],
    ]);
    expect(problems('assumed').map(([, confidence]) => confidence)).toEqual(['likely', 'likely', 'likely']);
    expect(problems('no')).toEqual([]);
  });

  it('reports an empty text parameter as missing', () => {
    expect(inGa4({ transaction_id: known('') })).toMatchObject([{ problem: 'missing', value: '' }]);
  });

  it('reports no violations for events that aren’t in the contract', () => {
    fc.assert(
      fc.property(fc.string(), values, (name, list) => {
        fc.pre(!Object.hasOwn(metaContract.events, name));
        expect(checkEvent(metaContract, name, parameters(list))).toEqual([]);
      }),
    );
  });

  it('never reports more violations if less is known about the event', () => {
    fc.assert(
      fc.property(event, values, fc.nat(), ([contract, name], list, choice) => {
        const before = checkEvent(contract, name, parameters(list)).map(v => `${v.parameter} ${v.problem}`);
        const keys = Object.keys(list);
        const less = keys.length === 0 ? list : { ...list, [keys[choice % keys.length]!]: UNKNOWN };
        for (const fewer of [parameters(less), parameters(list, 'no'), parameters(less, 'no')])
          for (const { parameter, problem } of checkEvent(contract, name, fewer))
            expect(before).toContain(`${parameter} ${problem}`);
      }),
    );
  });

  it('reports the same violations regardless of parameter order', () => {
    fc.assert(
      fc.property(event, values, ([contract, name], list) => {
        const reversed = Object.fromEntries(Object.entries(list).reverse());
        expect(checkEvent(contract, name, parameters(reversed))).toEqual(checkEvent(contract, name, parameters(list)));
      }),
    );
  });

  it('describes every violation in fewer than 160 characters, including the event name', () => {
    fc.assert(
      fc.property(event, values, ([contract, name], list) => {
        for (const violation of checkEvent(contract, name, parameters(list))) {
          const { message, values } = violationMessage(name, violation);
          const text = formatMessage(VIOLATION_MESSAGES[message], values);
          expect(text).toContain(name);
          expect(text.length).toBeLessThan(160);
        }
      }),
    );
  });
});

describe('a contract', () => {
  it.each(['source', 'known'])('is rejected if its required field %s is missing', field => {
    const facts = {
      vendor: 'meta',
      source: 'https://vendor.example/events',
      known: '2026-11-22',
      numeric_text: '^1$',
      parameters: {},
      currency_with_value: false,
      events: {},
    };
    expect(parseContract(facts).source).toBe(facts.source);
    expect(() => parseContract({ ...facts, [field]: undefined })).toThrow();
  });
});
