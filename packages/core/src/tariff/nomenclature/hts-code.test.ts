import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatHtsCode, matchedDigits, parseHtsCode } from './hts-code.ts';

describe('parseHtsCode', () => {
  it.each([
    ['7318.15.20.61', '7318152061'],
    ['7318.15.2061', '7318152061'],
    ['7318.15.20', '73181520'],
    ['7318.15', '731815'],
    ['7318', '7318'],
    ['7318152061', '7318152061'],
    ['7318 15 20 61', '7318152061'],
    ['  7318.15.2061\t\n', '7318152061'],
    ['7318\u00a015\u00a020', '73181520'],
    ['0101.21.00', '01012100'],
  ])('parses the code %j', (text, digits) => {
    expect(parseHtsCode(text)).toEqual({ ok: true, digits });
  });

  it.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['.', 'character'],
    ['abc', 'character'],
    ['7318.15.2O61', 'character'],
    ['7318.15.2061 bolts', 'character'],
    ['73', 'length'],
    ['731', 'length'],
    ['73181', 'length'],
    ['101.21.00', 'length'],
    ['731815206', 'length'],
    ['73181520610', 'too_long'],
    ['0000.00.00', 'chapter'],
    ['0001', 'chapter'],
    ['7701.00.00', 'chapter'],
    ['9802.00.80', 'special_chapter'],
    ['9903.82.02', 'special_chapter'],
  ])('rejects %j with the reason %s', (text, reason) => {
    expect(parseHtsCode(text)).toEqual({ ok: false, reason });
  });

  it.each([
    ['7318', '7318'],
    ['731815', '7318.15'],
    ['73181520', '7318.15.20'],
    ['7318152061', '7318.15.20.61'],
  ])('formats the digits %s as %s', (digits, printed) => {
    expect(formatHtsCode(digits)).toBe(printed);
  });

  it('parses every formatted code back to its digits', () => {
    const code = fc
      .tuple(fc.integer({ min: 1, max: 97 }), fc.constantFrom(2, 4, 6, 8), fc.nat(99_999_999))
      .filter(([chapter]) => chapter !== 77)
      .map(([chapter, length, rest]) => `${chapter}`.padStart(2, '0') + `${rest}`.padStart(8, '0').slice(0, length));
    fc.assert(
      fc.property(code, digits => {
        expect(parseHtsCode(formatHtsCode(digits))).toEqual({ ok: true, digits });
      }),
    );
  });

  it('parses a very long string in one pass', () => {
    expect(parseHtsCode('7'.repeat(1_000_000))).toEqual({ ok: false, reason: 'too_long' });
    expect(parseHtsCode(' .'.repeat(500_000))).toEqual({ ok: false, reason: 'character' });
  });
});

describe('matchedDigits', () => {
  it('drops the suffix 00 of an undivided 8-digit subheading', () => {
    expect(matchedDigits('8431200000')).toBe('84312000');
  });
  it('doesn’t change shorter codes or codes with other suffixes', () => {
    expect(matchedDigits('84312000')).toBe('84312000');
    expect(matchedDigits('8431200010')).toBe('8431200010');
  });
});
