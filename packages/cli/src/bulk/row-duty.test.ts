import { assess } from '@compliance/core/tariff';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRowDuty } from './row-duty.ts';

const CODES = ['0101.21.00', '7318.15.2061', '7326.90.8688', '8703.23.01', '7408.11', '9401.61.4011', '8302.41.6015'];
const DATES = ['2018-04-01', '2019-06-01', '2025-03-20', '2025-05-10', '2025-12-15', '2026-10-01'];

it('computes the same duty as `assess` if the duty is certain, and no duty otherwise', () => {
  const dutyOf = createRowDuty();
  let certain = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...CODES),
      fc.constantFrom(...DATES),
      fc.constantFrom('CN', 'JP', 'GB', 'RU', 'MX', 'DE'),
      fc.nat(99_999_999),
      (code, asOf, origin, cents) => {
        const value = (cents / 100).toFixed(2);
        const duty = dutyOf(code, asOf, origin, value);
        const { total_232, duties } = assess({ code, as_of: asOf, origin, facts: { customs_value: value } });
        if (duty.amount === null) {
          expect([total_232, duty.dependsOn.length > 0]).toEqual([null, true]);
          return;
        }
        if (duties!.length > 0) certain++;
        expect([Number(duty.amount), duty.dependsOn]).toEqual([total_232, []]);
        expect(duty.includesColumn1).toBe(duties!.some(each => each.includes_column1));
      },
    ),
    { numRuns: 500 },
  );
  expect(certain).toBeGreaterThan(0);
});

it.each([
  ['1,250.50', '0.00'],
  ['$1250.5', '0.00'],
  ['1250.50 USD', '0.00'],
  ['1.250,50', null],
  ['12,50', null],
  ['-5', null],
  ['', null],
])('returns the duty only if the customs value is in a supported format: %j', (value, amount) => {
  expect(createRowDuty()('0101.21.00', '2026-10-01', 'CN', value)).toMatchObject({
    amount,
    dependsOn: amount === null ? ['customs_value'] : [],
  });
});
