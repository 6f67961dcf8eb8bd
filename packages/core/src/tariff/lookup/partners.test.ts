import { describe, expect, it } from 'vitest';
import { ALL_PROGRAMS } from '../edition/programs.ts';
import { lookup } from './lookup.ts';

const CABINET = '9403.40.90.60';
const SOFA = '9401.61.60.11';
const CAR = '8703.23.01.40';
const CAR_PART = '8708.30.50.20';
const TRUCK = '8704.22.51.20';
const TRUCK_PART = '8708.91.75.10';

/** The duty of one program on a code of an origin. */
function dutyOf(code: string, program: (typeof ALL_PROGRAMS)[number], origin: string, asOf: string) {
  const { matches } = lookup([code], { asOf, origin, programs: [program] }).results[0]!;
  return matches[0]!;
}

describe('the rates of partners', () => {
  it.each([
    [CABINET, 'kitchen_cabinets', 'JP', ['9903.76.21'], 15, 'total_floor'],
    [CABINET, 'kitchen_cabinets', 'DE', ['9903.76.22'], 15, 'total_floor'],
    [CABINET, 'kitchen_cabinets', 'GB', ['9903.76.20'], 10, 'additional'],
    [CABINET, 'kitchen_cabinets', 'VN', ['9903.76.03'], 25, 'additional'],
    [SOFA, 'upholstered_furniture', 'KR', ['9903.76.23'], 15, 'total_floor'],
    [CAR, 'autos', 'JP', ['9903.94.40', '9903.94.41'], 15, 'total_floor'],
    [CAR_PART, 'auto_parts', 'JP', ['9903.94.42', '9903.94.43'], 15, 'total_floor'],
    [CAR_PART, 'auto_parts', 'FR', ['9903.94.52', '9903.94.53'], 15, 'total_floor'],
    [CAR_PART, 'auto_parts', 'KR', ['9903.94.62', '9903.94.63'], 15, 'total_floor'],
    [CAR_PART, 'auto_parts', 'GB', ['9903.94.32'], 10, 'total_floor'],
    [CAR_PART, 'auto_parts', 'CN', ['9903.94.05'], 25, 'additional'],
  ] as const)('charge %s under %s from %s by %j', (code, program, origin, headings, rate_pct, rate_type) => {
    expect(dutyOf(code, program, origin, '2026-10-01')).toMatchObject({ headings, rate_pct, rate_type });
  });

  it('hold for Taiwan from 2026-05-01, by a date that is second-hand', () => {
    for (const [code, program, before, after] of [
      [SOFA, 'upholstered_furniture', '9903.76.02', '9903.76.24'],
      [CABINET, 'kitchen_cabinets', '9903.76.03', '9903.76.24'],
      [CAR_PART, 'auto_parts', '9903.94.05', '9903.94.66'],
    ] as const) {
      expect(dutyOf(code, program, 'TW', '2026-04-30').headings[0]).toBe(before);
      const since = dutyOf(code, program, 'TW', '2026-05-01');
      expect(since.headings[0]).toBe(after);
      expect(since.caveats.map(({ id }) => id)).toContain('second_hand_date');
    }
  });

  it('stand with what the goods may turn out to be', () => {
    const outcomes = (code: string, program: (typeof ALL_PROGRAMS)[number], origin: string) =>
      dutyOf(code, program, origin, '2026-10-01').outcomes.map(({ headings, when }) => [
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
      ['9903.74.10', 'usmca_originating'],
      ['9903.74.11', 'not_heavy_vehicle_part'],
    ]);
    expect(outcomes(CAR, 'autos', 'US')).toContainEqual(['9903.94.02', 'not_passenger_vehicle']);
  });

  it('leave no answer without a heading of its rate', () => {
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
