import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { easternDate, isCalendarDate } from './dates.ts';

describe('isCalendarDate', () => {
  it('accepts every date from year 0 to year 9999', () => {
    const days = fc.date({
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(days, day => {
        expect(isCalendarDate(day.toISOString().slice(0, 10))).toBe(true);
      }),
    );
  });

  it.each([
    ...['2026-02-29', '2026-02-30', '2026-04-31', '2026-13-01', '2026-00-01', '2026-01-00', '2026-01-32'],
    ...['', '2026', '2026-1-1', '20260101', '2026-01-01 ', ' 2026-01-01', '2026-01-01T00:00:00Z', '+02026-01-01'],
    ...['2026-01-01\n', '２０２６-01-01', '-001-01-01'],
  ])('rejects %j as a calendar date', text => {
    expect(isCalendarDate(text)).toBe(false);
  });

  it('accepts leap days only in leap years', () => {
    expect(['2024-02-29', '2000-02-29', '0000-02-29', '1900-02-29', '2023-02-29'].map(isCalendarDate)).toEqual([
      ...[true, true, true],
      ...[false, false],
    ]);
  });
});

describe('easternDate', () => {
  it.each([
    ['2026-12-04T04:59:59Z', '2026-12-03'],
    ['2026-12-04T05:00:00Z', '2026-12-04'],
    ['2026-07-01T03:59:59Z', '2026-06-30'],
    ['2026-07-01T04:00:00Z', '2026-07-01'],
  ])('converts %s to the US Eastern date %s', (instant, date) => {
    expect(easternDate(Date.parse(instant))).toBe(date);
  });
});
