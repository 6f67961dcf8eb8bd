import { assess, DATASET } from '@compliance/core/tariff';
import { describe, expect, it } from 'vitest';
import { dutyViewOf, estimateDuty } from './duty.ts';

const AS_OF = '2026-10-09';
const bolt = { code: '7318152061', origin: 'CN', price: '24.00' };

describe('the estimated duty', () => {
  it('estimates the lowest and highest possible duty from the selling price', () => {
    const { total_232_range } = assess({ ...bolt, as_of: AS_OF, facts: { customs_value: 24 } });
    const { min, max } = total_232_range!;
    expect(estimateDuty(bolt, AS_OF, DATASET)).toEqual({ min: min * 100, max: max * 100 });
    expect(max).toBeGreaterThan(min);
  });

  it('estimates an ad valorem duty', () => {
    const { max } = estimateDuty(bolt, AS_OF, DATASET)!;
    expect(estimateDuty({ ...bolt, price: '48.00' }, AS_OF, DATASET)?.max).toBe(max * 2);
    expect(estimateDuty({ ...bolt, price: '0.00' }, AS_OF, DATASET)?.max).toBe(0);
  });

  it.each([
    { origin: null },
    { origin: 'EU' },
    { origin: 'Narnia' },
    { price: null },
    { price: '' },
    { price: 'free' },
    { price: '-1' },
  ])('returns an unknown duty, not zero, for %j', change => {
    expect(estimateDuty({ ...bolt, ...change }, AS_OF, DATASET)).toBeNull();
  });

  it.each([
    ['code', { status: 'needs_digits' }],
    ['origin', { origin: null }],
    ['origin', { origin: 'EU' }],
    ['price', { price: null }],
    ['rate', {}],
  ])('states that the %s is the reason for an unknown duty: %j', (dutyUnknown, change) => {
    const variant = { ...bolt, status: 'hit', duty: null, ...change };
    expect(dutyViewOf(variant)).toEqual({ duty: null, dutyUnknown });
  });

  it('returns a stored duty in currency units, and no duty for a variant that isn’t covered', () => {
    const duty = { min: 240, max: 1200 };
    expect(dutyViewOf({ ...bolt, status: 'hit', duty })).toEqual({ duty: { min: 2.4, max: 12 }, dutyUnknown: null });
    expect(dutyViewOf({ ...bolt, status: 'clear', duty: null })).toEqual({ duty: null, dutyUnknown: null });
  });
});
