import { type Lookup, lookup } from '@compliance/core/tariff';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lookupJson } from './lookup-json.ts';

const textOf = (found: Lookup) => Buffer.from(lookupJson(found)).toString();

const CODES = ['7318.15.2061', '0101.21.00', '8302.41.60', '8704.60.00', '9403', 'abc', '7318"\u2028\ud800', ''];

it('matches the output of JSON.stringify for any codes, origin, and date, even if lists are cached', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...CODES), { maxLength: 6 }),
      fc.constantFrom(undefined, 'JP', 'CN', 'RU'),
      fc.constantFrom('2026-03-01', '2026-10-01', '2026-11-21'),
      (codes, origin, asOf) => {
        const found = lookup(codes, { asOf, ...(origin && { origin }) });
        expect(textOf(found)).toBe(JSON.stringify(found));
        expect(textOf(found)).toBe(textOf(lookup(codes, { asOf, ...(origin && { origin }) })));
      },
    ),
    { numRuns: 200 },
  );
});

it('doesn’t cache a mutable list', () => {
  const found = structuredClone(lookup(['7318.15.2061'], { asOf: '2026-10-01' }));
  textOf(found);
  (found.results[0]!.matches as unknown[]).pop();
  expect(JSON.parse(textOf(found)).results[0].matches).toEqual([]);
});
