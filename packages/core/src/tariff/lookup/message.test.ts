import { expect, it } from 'vitest';
import { type LookupOptions, lookup } from './lookup.ts';
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

const says = (code: string, options: Partial<LookupOptions> = {}) =>
  lookup([code], { asOf: '2026-11-21', ...options }).results[0]!;

it.each([
  ['', /empty/],
  ['x', /only digits, dots and spaces/],
  ['731', /4, 6, 8 or 10 digits/],
  ['0001', /from 01 to 97/],
  ['9903.82.02', /98 and 99/],
])('says of %j what is wrong with it', (code, cause) => {
  expect(says(code).message).toMatch(cause);
});

it('names four of the numbers below a code, and says how many more there are', () => {
  for (const code of ['8708', '7326', '7318', '9403', '8481', '8302.41']) {
    const { matches, message } = says(code, { programs: 'all' });
    const below = matches.filter(({ coverage }) => coverage === 'partial');
    const named = below.filter(({ hts }) => message.includes(`${hts} (`)).length;
    const more = / and (\d+) more; give/.exec(message)?.[1];
    expect([named >= Math.min(4, below.length), more]).toEqual([
      true,
      below.length > 4 ? `${below.length - 4}` : undefined,
    ]);
  }
});

it('says that the duty on two metals is owed once, since 2026-04-06 alone', () => {
  const both = ['8302.41.60', '9403.20.00.75', '8481.80.30', '7326.90.86'];
  for (const asOf of ['2026-04-05', '2026-04-06', '2026-11-21']) {
    for (const code of both) {
      const { matches, message } = says(code, { asOf, programs: 'all' });
      const metals = matches.filter(
        ({ coverage, program }) => coverage === 'full' && ['steel', 'aluminum', 'copper'].includes(program),
      );
      expect(message.includes('owed once')).toBe(asOf >= '2026-04-06' && metals.length > 1);
    }
  }
});

it('names up to three programs that do not list a code', () => {
  expect(says('0101.21.00', { programs: ['steel'] }).message).toBe('Not on the steel lists.');
  expect(says('0101.21.00').message).toBe('Not on the steel, aluminum or copper lists.');
  expect(says('0101.21.00', { programs: 'all' }).message).toBe('Not on the lists that were asked for.');
});
