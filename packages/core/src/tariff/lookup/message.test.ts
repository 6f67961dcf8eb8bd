import { expect, it } from 'vitest';
import { METALS } from '../edition/programs.ts';
import { type LookupOptions, lookup } from './lookup.ts';
import { dutyWords, messageOf } from './message.ts';

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

const WEIGHT = 'if steel, aluminum and copper make up at least 15 % of the weight';

it.each<[string, Partial<LookupOptions>, string]>([
  ['7208.10.15', {}, 'On the list of steel articles, Annex I-A, since 2026-04-06; +50 % of full value.'],
  ['8703.23.0140', { programs: 'all' }, 'On the autos list, since 2025-04-03; +25 % of full value.'],
  [
    '2203.00.00',
    { asOf: '2025-05-01' },
    'On the aluminum derivative list, since 2025-04-04 until 2025-06-03; +25 % of the value of the metal content.',
  ],
  [
    '8302.41.60',
    {},
    `On the steel derivative list, Annex I-B, since 2026-04-06; +25 % of full value, ${WEIGHT}. ` +
      'Also listed below it: 8302.41.60.15 (aluminum), 8302.41.60.45 (aluminum), 8302.41.60.50 (aluminum), ' +
      '8302.41.60.80 (aluminum); give the full 10-digit number for a definite answer.',
  ],
  [
    '7314.12',
    {},
    'Listed below it: 7314.12.10 (steel), 7314.12.20 (steel), 7314.12.30 (steel), 7314.12.60 (steel) and 1 more; ' +
      'give the full 10-digit number for a definite answer.',
  ],
  [
    '9403.99.9010',
    {},
    'Not on the steel, aluminum or copper lists. 9403.99.90.10 (aluminum derivative) was listed until 2026-04-05. ' +
      'Nearest listed: 9403.99.90.20 (steel derivative), same 8-digit subheading.',
  ],
  [
    '8418.10.00',
    { asOf: '2025-06-22' },
    'Not on the steel, aluminum or copper lists. 8418.10.00 (steel derivative) will be listed from 2025-06-23. ' +
      'Nearest listed: 8418.99.80.05 (aluminum derivative), same heading.',
  ],
  [
    '7615.10.11',
    {},
    'Not on the steel, aluminum or copper lists. ' +
      'Nearest listed: 7615.10.20.15 (aluminum derivative), same 6-digit subheading.',
  ],
  [
    '3818.00.0020',
    { programs: 'all' },
    'Not on the lists that were asked for. 3818.00.00.20 (polysilicon derivative) will be listed from 2026-12-04.',
  ],
  [
    '8471.50.0150',
    {},
    'Not on the steel, aluminum or copper lists. ' +
      'Other Section 232 programs list it too, or will: semiconductors, auto parts.',
  ],
  ['7303.00.00', {}, 'Not on the steel, aluminum or copper lists.'],
])('says of %s, asked with %j: %s', (code, options, message) => {
  expect(says(code, options).message).toBe(message);
});

it('says that the duty on two metals is owed once, since 2026-04-06 alone', () => {
  const twoMetals = (asOf: string) => says('8302.41.6015', { asOf }).message;
  expect(twoMetals('2026-04-05')).not.toContain('owed once');
  for (const asOf of ['2026-04-06', '2026-11-21']) {
    expect(twoMetals(asOf)).toMatch(/weight\. The metals duty is owed once, under one heading\.$/);
  }
  expect(says('8708.10.6050', { programs: 'all' }).message).not.toContain('owed once');
});

it('joins the facts that a duty needs', () => {
  const found = says('8302.41.6090');
  const [weight] = found.matches;
  const conditions = [...weight!.conditions, { id: 'us_metal', text: 'the metal is of the United States' }];
  const message = messageOf(
    { ...found, matches: [{ ...weight!, conditions }] },
    { date: '2026-11-21', programs: new Set(METALS), origin: null },
  );
  expect(message).toContain(`, ${WEIGHT}, and the metal is of the United States.`);
});

it('names up to three programs that do not list a code', () => {
  expect(says('0101.21.00', { programs: ['steel'] }).message).toBe('Not on the steel lists.');
  expect(says('0101.21.00').message).toBe('Not on the steel, aluminum or copper lists.');
  expect(says('0101.21.00', { programs: 'all' }).message).toBe('Not on the lists that were asked for.');
});
