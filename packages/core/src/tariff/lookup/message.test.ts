import { expect, it } from 'vitest';
import { DATASET } from '../dataset/dataset.ts';
import { indexOf } from '../dataset/dataset-index.ts';
import { METALS } from '../dataset/programs.ts';
import { lookup } from './lookup.ts';
import { dutyWords, messageOf } from './message.ts';
import type { LookupOptions } from './options.ts';

const duty = { headings: [], rate_pct: 25, rate_type: 'additional', value_basis: 'full_customs_value' } as const;

it.each([
  [duty, '25% additional duty on the full customs value'],
  [{ ...duty, value_basis: 'metal_content_value' }, '25% additional duty on the value of the metal content'],
  [{ ...duty, value_basis: 'copper_content_value' }, '25% additional duty on the value of the copper content'],
  [{ ...duty, value_basis: 'non_us_content_value' }, '25% additional duty on the value of the non-US content'],
  [
    { ...duty, rate_type: 'total_floor', rate_pct: 15 },
    '15% total duty on the full customs value, including the column 1 duty',
  ],
  [{ ...duty, rate_pct: 0 }, 'no additional ad valorem duty'],
  [{ ...duty, rate_pct: null }, 'additional duty at a rate not stated in our sources'],
  [{ ...duty, rate_type: 'none', rate_pct: null }, 'no additional duty'],
] as const)('describes the duty %j as: %s', (given, words) => {
  expect(dutyWords({ ...given, headings: [] })).toBe(words);
});

const resultOf = (code: string, options: Partial<LookupOptions> = {}) =>
  lookup([code], { asOf: '2026-11-21', ...options }).results[0]!;

it.each([
  ['', /empty/],
  ['x', /use only digits and separators/],
  ['731', /4, 6, 8, or 10 digits/],
  ['0001', /from 01 to 97/],
  ['9903.82.02', /98 and 99/],
])('explains why %j isn’t a valid HTS code', (code, cause) => {
  expect(resultOf(code).message).toMatch(cause);
});

const WEIGHT = 'if steel, aluminum, and copper make up at least 15% of the weight';
const NOT_LISTED = 'Not on any Section 232 list.';

it.each<[string, Partial<LookupOptions>, string]>([
  [
    '7208.10.15',
    {},
    'On the primary steel article list (Annex I-A) since 2026-04-06: 50% additional duty on the full customs value under 9903.82.02.',
  ],
  [
    '8703.23.0140',
    {},
    'On the autos list since 2025-04-03: 25% additional duty on the full customs value under 9903.94.01.',
  ],
  [
    '8703.23.0140',
    { origin: 'JP' },
    'On the autos list since 2025-04-03: 15% total duty on the full customs value, including the column 1 duty, ' +
      'under 9903.94.41 since 2025-09-16.',
  ],
  [
    '8704.60.00',
    {},
    'On the autos list since 2025-04-03: 25% additional duty on the full customs value under 9903.94.01. ' +
      'On the trucks list since 2025-11-01: 25% additional duty on the full customs value under 9903.74.01. ' +
      "Only one duty is owed: notes 33(c) and 38(e) exempt a vehicle that isn't of their own type.",
  ],
  [
    '2203.00.00',
    { asOf: '2025-05-01' },
    'On the aluminum derivative list from 2025-04-04 to 2025-06-03: 25% additional duty on the value of the metal content under 9903.85.08.',
  ],
  [
    '8302.41.60',
    {},
    `On the steel derivative list (Annex I-B) since 2026-04-06: 25% additional duty on the full customs value under 9903.82.09, ${WEIGHT}. ` +
      'Also listed under this code: 8302.41.60.15 (aluminum), 8302.41.60.45 (aluminum), 8302.41.60.50 (aluminum), ' +
      '8302.41.60.80 (aluminum). Enter the full 10-digit code for a definite result.',
  ],
  [
    '7314.12',
    {},
    'Listed under this code: 7314.12.10 (steel), 7314.12.20 (steel), 7314.12.30 (steel), 7314.12.60 (steel), and 1 more. ' +
      'Enter the full 10-digit code for a definite result.',
  ],
  [
    '9403.99.9010',
    {},
    `${NOT_LISTED} 9403.99.90.10 (aluminum derivative article) was listed through 2026-04-05. ` +
      'Nearest listing: 9403.99.90.20 (steel derivative article), in the same 8-digit subheading.',
  ],
  [
    '8418.10.00',
    { asOf: '2025-06-22' },
    `${NOT_LISTED} 8418.10.00 (steel derivative article) will be listed starting 2025-06-23. ` +
      'Nearest listing: 8418.99.80.05 (aluminum derivative article), in the same heading.',
  ],
  [
    '7615.10.11',
    {},
    `${NOT_LISTED} Nearest listing: 7615.10.20.15 (aluminum derivative article), in the same 6-digit subheading.`,
  ],
  [
    '3818.00.0020',
    {},
    'Not on any Section 232 list. 3818.00.00.20 (polysilicon derivative article) will be listed starting 2026-12-04.',
  ],
  [
    '8471.50.0150',
    { programs: 'metals' },
    `Not on the steel, aluminum, or copper lists. Other Section 232 programs also list this code, or will list it on a later date: semiconductors, auto parts.`,
  ],
  ['7303.00.00', {}, NOT_LISTED],
])('describes %s with the options %j as: %s', (code, options, message) => {
  expect(resultOf(code, options).message).toBe(message);
});

it('states that the duty on an article listed for two metals is owed only once, starting on 2026-04-06', () => {
  const twoMetals = (asOf: string) => resultOf('8302.41.6015', { asOf }).message;
  expect(twoMetals('2026-04-05')).not.toContain('owed only once');
  for (const asOf of ['2026-04-06', '2026-11-21']) {
    expect(twoMetals(asOf)).toMatch(/weight\. The metals duty is owed only once, under one heading\.$/);
  }
  expect(resultOf('8708.10.6050', { programs: 'all' }).message).not.toContain('owed only once');
});

it('joins a duty’s required conditions with “and”', () => {
  const result = resultOf('8302.41.6090');
  const [match] = result.matches;
  const conditions = [...match!.conditions, { id: 'us_metal', text: 'the metal is from the United States' }];
  const message = messageOf(
    { ...result, matches: [{ ...match!, conditions }] },
    { index: indexOf(DATASET), date: '2026-11-21', programs: new Set(METALS), origin: null },
  );
  expect(message).toContain(`, ${WEIGHT}, and the metal is from the United States.`);
});

it("names up to three selected programs that don't list a code", () => {
  expect(resultOf('0101.21.00', { programs: ['steel'] }).message).toBe('Not on the steel lists.');
  expect(resultOf('0101.21.00', { programs: ['steel', 'copper'] }).message).toBe('Not on the steel or copper lists.');
  expect(resultOf('0101.21.00', { programs: 'metals' }).message).toBe('Not on the steel, aluminum, or copper lists.');
  expect(resultOf('0101.21.00', { programs: ['steel', 'copper', 'autos', 'uas'] }).message).toBe(
    "Not on any of the selected programs' lists.",
  );
  expect(resultOf('0101.21.00', { programs: 'all' }).message).toBe(NOT_LISTED);
  expect(resultOf('0101.21.00').message).toBe(NOT_LISTED);
});
