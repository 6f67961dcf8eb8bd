import { describe, expect, it } from 'vitest';
import { ALL_PROGRAMS } from '../dataset/programs.ts';
import { lookup } from './lookup.ts';

const CABINET = '9403.40.90.60';
const SOFA = '9401.61.60.11';
const CAR = '8703.23.01.40';
const CAR_PART = '8708.30.50.20';
const TRUCK = '8704.22.51.20';
const TRUCK_PART = '8708.91.75.10';

/** Returns a code's match in one program for a country of origin. */
function matchFor(code: string, program: (typeof ALL_PROGRAMS)[number], origin: string, asOf: string) {
  const { matches } = lookup([code], { asOf, origin, programs: [program] }).results[0]!;
  return matches[0]!;
}

describe('trading partner rates', () => {
  it.each([
    [CABINET, 'kitchen_cabinets', 'JP', ['9903.76.21'], 15, 'total_floor'],
    [CABINET, 'kitchen_cabinets', 'DE', ['9903.76.22'], 15, 'total_floor'],
    [CABINET, 'kitchen_cabinets', 'GB', ['9903.76.20'], 10, 'additional'],
    [CABINET, 'kitchen_cabinets', 'VN', ['9903.76.03'], 25, 'additional'],
    [SOFA, 'upholstered_furniture', 'KR', ['9903.76.23'], 15, 'total_floor'],
    [CAR, 'autos', 'JP', ['9903.94.41'], 15, 'total_floor'],
    [CAR_PART, 'auto_parts', 'JP', ['9903.94.43'], 15, 'total_floor'],
    [CAR_PART, 'auto_parts', 'FR', ['9903.94.53'], 15, 'total_floor'],
    [CAR_PART, 'auto_parts', 'KR', ['9903.94.63'], 15, 'total_floor'],
    [CAR_PART, 'auto_parts', 'GB', ['9903.94.05'], 25, 'additional'],
    [CAR_PART, 'auto_parts', 'CN', ['9903.94.05'], 25, 'additional'],
  ] as const)(
    'returns the rate for %s in the %s program for origin %s under headings %j',
    (code, program, origin, headings, rate_pct, rate_type) => {
      expect(matchFor(code, program, origin, '2026-10-01')).toMatchObject({ headings, rate_pct, rate_type });
    },
  );

  it('applies trading partner rates to Taiwan starting 2026-05-01, the date in the official edition’s change record', () => {
    for (const [code, program, before, after] of [
      [SOFA, 'upholstered_furniture', '9903.76.02', '9903.76.24'],
      [CABINET, 'kitchen_cabinets', '9903.76.03', '9903.76.24'],
      [CAR_PART, 'auto_parts', '9903.94.05', '9903.94.67'],
    ] as const) {
      expect(matchFor(code, program, 'TW', '2026-04-30').headings[0]).toBe(before);
      const since = matchFor(code, program, 'TW', '2026-05-01');
      expect(since.headings[0]).toBe(after);
      expect([since.duty_from, since.duty_dated_by]).toEqual([
        '2026-05-01',
        { legal: 'HTS 2026 Revision 9 change record' },
      ]);
    }
  });

  it('lists the trading partner rate along with outcomes that depend on facts about the goods', () => {
    const outcomes = (code: string, program: (typeof ALL_PROGRAMS)[number], origin: string) =>
      matchFor(code, program, origin, '2026-10-01').outcomes.map(({ headings, when }) => [
        headings[0],
        ...when.map(({ id }) => id),
      ]);
    expect(outcomes(TRUCK, 'trucks', 'DE')).toEqual([
      ['9903.74.01'],
      ['9903.74.05', 'not_heavy_vehicle'],
      ['9903.74.07', 'vehicle_25_years'],
    ]);
    expect(outcomes(TRUCK_PART, 'truck_parts', 'MX')).toEqual([
      ['9903.74.08', 'heavy_vehicle_part'],
      ['9903.74.11', 'not_heavy_vehicle_part'],
      ['9903.74.10', 'usmca_originating', 'not_knock_down_kit'],
    ]);
    expect(outcomes(CAR, 'autos', 'JP')).toContainEqual(['9903.94.40', 'column_1_at_least_15']);
    expect(outcomes(CAR_PART, 'auto_parts', 'JP')).toContainEqual(['9903.94.42', 'column_1_at_least_15']);
    expect(outcomes(CAR_PART, 'auto_parts', 'GB')).toContainEqual(['9903.94.32', 'uk_vehicle_part']);
    expect(outcomes(CAR, 'autos', 'US')).toContainEqual(['9903.94.02', 'not_passenger_vehicle']);
  });

  it.each([
    ['JP', '9903.94.41', '2025-09-16'],
    ['DE', '9903.94.51', '2025-08-01'],
    ['KR', '9903.94.61', '2025-11-01'],
  ])('applies the automobile rate for origin %s under heading %s starting %s', (origin, heading, from) => {
    const dayBefore = new Date(Date.parse(from) - 86_400_000).toISOString().slice(0, 10);
    expect(matchFor(CAR, 'autos', origin, dayBefore).headings).toEqual(['9903.94.01']);
    expect(matchFor(CAR, 'autos', origin, from)).toMatchObject({ headings: [heading], rate_pct: 15, duty_from: from });
  });

  it.each([
    ['JP', ['9903.94.54', '9903.94.55']],
    ['DE', ['9903.94.44', '9903.94.45']],
    ['KR', ['9903.94.64', '9903.94.65']],
    ['TW', ['9903.94.68', '9903.94.69']],
    ['GB', ['9903.94.33', '9903.94.07']],
    ['CN', ['9903.94.07']],
  ])(
    'lists the headings for certified automobile parts that apply to a steel article from %s: %j',
    (origin, headings) => {
      const { outcomes } = matchFor('8708.99.8180', 'steel', origin, '2026-11-21');
      const certified = outcomes.filter(({ program }) => program === 'auto_parts');
      expect(certified.flatMap(outcome => outcome.headings)).toEqual(headings);
    },
  );

  it('returns at least one heading for every outcome', () => {
    const codes = [CABINET, SOFA, CAR, CAR_PART, TRUCK, TRUCK_PART];
    for (const origin of ['JP', 'DE', 'GB', 'KR', 'TW', 'CA', 'MX', 'CN']) {
      const { results } = lookup(codes, { asOf: '2026-10-01', origin, programs: ALL_PROGRAMS });
      const bare = results.filter(({ matches }) =>
        matches.some(({ outcomes }) => outcomes.some(({ headings }) => headings.length === 0)),
      );
      expect(bare).toEqual([]);
    }
  });
});
