import { expect, it } from 'vitest';
import { dutyWords } from './message.ts';

const duty = { headings: [], rate_pct: 25, rate_type: 'additional', value_basis: 'full_customs_value' } as const;

it.each([
  [duty, '+25 % of full value'],
  [{ ...duty, value_basis: 'metal_content_value' }, '+25 % of the value of the metal content'],
  [{ ...duty, value_basis: 'copper_content_value' }, '+25 % of the value of the copper content'],
  [{ ...duty, value_basis: 'non_us_content_value' }, '+25 % of the value of the content not of US origin'],
  [{ ...duty, rate_type: 'total_floor', rate_pct: 15 }, '15 % of full value in all, column 1 duty included'],
  [{ ...duty, rate_pct: 0 }, 'no additional ad valorem duty'],
  [{ ...duty, rate_pct: null }, 'at a rate that our sources do not give'],
  [{ ...duty, rate_type: 'none', rate_pct: null }, 'no additional duty'],
] as const)('the duty %j is in words: %s', (of, words) => {
  expect(dutyWords({ ...of, headings: [] })).toBe(words);
});
