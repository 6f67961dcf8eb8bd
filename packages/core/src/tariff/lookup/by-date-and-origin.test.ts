import { describe, expect, it } from 'vitest';
import { lookup } from './lookup.ts';
import type { LookupOptions } from './options.ts';

const TODAY = '2026-11-21';
const one = (code: string, options: Partial<LookupOptions> = {}) =>
  lookup([code], { asOf: TODAY, ...options }).results[0]!;
const statusOn = (code: string, ...dates: string[]) => dates.map(asOf => one(code, { asOf }).status);

describe('lookup on the effective date of a change and on the day before', () => {
  it.each([
    ['7318.15.2061', ['2025-03-11', 'adjacent'], ['2025-03-12', 'hit']],
    ['7208.10.15', ['2018-03-22', 'adjacent'], ['2018-03-23', 'in_scope']],
    ['7317.00.3000', ['2020-02-07', 'adjacent'], ['2020-02-08', 'hit']],
    ['8418.10.00', ['2025-06-22', 'adjacent'], ['2025-06-23', 'hit']],
    ['8302.41.60', ['2025-08-17', 'in_scope'], ['2025-08-18', 'hit']],
    ['9403.20.0075', ['2026-06-07', 'adjacent'], ['2026-06-08', 'hit']],
    ['7407.10.15', ['2025-07-31', 'adjacent'], ['2025-08-01', 'in_scope']],
  ] as const)('changes the status of %s on the effective date', (code, before, after) => {
    expect(statusOn(code, before[0], after[0])).toEqual([before[1], after[1]]);
  });

  it('returns the annex and rate in force on the lookup date for provisions that move to another annex', () => {
    const annex = (code: string, asOf: string) =>
      one(code, { asOf }).matches.map(m => [m.program, m.annex, m.rate_pct]);
    expect(annex('8429.11.00', '2026-06-07')).toEqual([['steel', 'I-B', 25]]);
    expect(annex('8429.11.00', '2026-06-08')).toEqual([['steel', 'I-C', 25]]);
    expect(annex('8424.89.90', '2027-12-31')).toContainEqual(['aluminum', 'III', 15]);
    expect(annex('8424.89.90', '2028-01-01')).toContainEqual(['aluminum', 'I-B', 25]);
    expect(one('8424.89.90').matches[0]!.next).toMatchObject({
      effective_from: '2028-01-01',
      annex: 'I-B',
      rate_pct: 25,
    });
  });

  it('adds the `scheduled` caveat to future rates and returns upcoming listings', () => {
    const furniture = one('9401.61.4011', { asOf: '2027-01-01', programs: 'all' }).matches[0]!;
    expect([furniture.rate_pct, furniture.caveats.map(caveat => caveat.id)]).toEqual([30, ['scheduled']]);
    expect(one('3818.00.0020', { programs: 'all' }).adjacent_hits[0]).toMatchObject({
      relation: 'upcoming',
      program: 'polysilicon',
      effective_from: '2026-12-04',
    });
    expect(one('3818.00.0020', { programs: 'metals' }).other_programs).toMatchObject([
      { program: 'polysilicon', effective_from: '2026-12-04' },
    ]);
  });

  it('adds a caveat to listings that were verified only against a later text', () => {
    const caveats = (asOf: string) =>
      one('8703.23.0140', { asOf, programs: 'all' }).matches[0]!.caveats.map(caveat => caveat.id);
    expect(caveats('2025-05-01')).toContain('membership_not_verified');
    expect(caveats(TODAY)).not.toContain('membership_not_verified');
  });
});

describe('lookup with a country of origin', () => {
  const duty = (code: string, origin: string, options: Partial<LookupOptions> = {}) => {
    const [match] = one(code, { origin, ...options }).matches;
    return [match!.headings.join(' '), match!.rate_pct, match!.rate_type];
  };

  it.each([
    ['7208.10.15', 'CN', ['9903.82.02', 50, 'additional']],
    ['7208.10.15', 'RU', ['9903.82.14', 50, 'additional']],
    ['7601.10.30', 'RU', ['9903.85.67', 200, 'additional']],
    ['8429.11.00', 'JP', ['9903.82.22', 15, 'total_floor']],
    ['8429.11.00', 'DE', ['9903.82.22', 15, 'total_floor']],
    ['8429.11.00', 'EU', ['9903.82.22', 15, 'total_floor']],
    ['8429.11.00', 'uk', ['9903.82.22', 15, 'total_floor']],
    ['8429.11.00', 'CN', ['9903.82.09', 25, 'additional']],
    ['8429.11.00', 'RU', ['9903.82.16', 25, 'additional']],
    ['8504.34.00', 'BY', ['9903.82.12', 25, 'additional']],
  ])('selects the heading and rate for %s from %s', (code, origin, expected) => {
    expect(duty(code, origin)).toEqual(expected);
  });

  it('selects the trading partner rate for a car from South Korea', () => {
    expect(duty('8703.23.0140', 'KR', { programs: 'all' })).toEqual(['9903.94.61', 15, 'total_floor']);
  });

  it('selects the pharmaceutical heading that is in force on the lookup date', () => {
    const medicine = (asOf: string) => duty('2918.99.30.00', 'CN', { asOf });
    expect(medicine('2026-09-28')).toEqual(['9903.04.61', 100, 'total_floor']);
    expect(medicine('2026-09-29')).toEqual(['9903.04.60', 100, 'total_floor']);
  });

  it('lists the possible outcomes and undecided facts without assuming any facts about the goods', () => {
    const [match] = one('7318.15.2061', { origin: 'GB' }).matches;
    expect(match!.rate_pct).toBe(50);
    expect(match!.undecided).toEqual(['civil_aircraft_part', 'us_metal', 'uk_metal']);
    const outcome = match!.outcomes.find(({ headings }) => headings[0] === '9903.82.04');
    expect(outcome).toMatchObject({ rate_pct: 25, when: [{ id: 'uk_metal' }] });
  });

  it('omits the UK outcome for other origins and the equipment outcome outside chapters 84, 85, and 87', () => {
    const headings = (code: string, origin: string) =>
      one(code, { origin }).matches[0]!.outcomes.flatMap(outcome => outcome.headings);
    expect(headings('7318.15.2061', 'FR')).not.toContain('9903.82.04');
    expect(headings('8483.90.80', 'FR')).toContain('9903.82.25');
    expect(headings('8302.41.60', 'FR')).not.toContain('9903.82.25');
    expect(headings('8483.90.80', 'RU')).not.toContain('9903.82.25');
  });

  it('omits the minimum metal weight condition for chapters 72, 73, 74, and 76', () => {
    expect(one('7321.11.10').matches[0]!.conditions).toEqual([]);
    expect(one('8302.41.60').matches[0]!.conditions).toHaveLength(1);
  });

  it('lists an unknown origin as an undecided fact', () => {
    const [match] = one('7318.15.2061').matches;
    expect(match!.undecided[0]).toBe('origin');
    expect(match!.outcomes).toEqual([]);
  });

  it('selects the United Kingdom heading and rate that were in force on a past date', () => {
    expect(duty('7318.15.2061', 'GB', { asOf: '2025-09-01' })).toEqual(['9903.81.97', 25, 'additional']);
    expect(duty('7318.15.2061', 'GB', { asOf: '2025-06-03' })).toEqual(['9903.81.90', 25, 'additional']);
  });
});
