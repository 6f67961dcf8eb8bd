import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatHtsCode, parseHtsCode } from './hts-code.ts';
import { loadNomenclature } from './nomenclature.ts';
import { MAX_SUGGESTIONS, suggestCodes } from './suggest-codes.ts';

const NUMBERS = [
  '0302.11.00.10',
  '0302.11.00.90',
  '0902.10.10',
  '7318.15.20.55',
  '7318.15.20.61',
  '7318.15.20.65',
  '7318.15.40.00',
  '7318.15.50.30',
  '7318.15.50.51',
  '7318.15.50.90',
];
const nomenclature = loadNomenclature(
  NUMBERS.map(htsno => ({ htsno, indent: '0', description: htsno })),
  'HTS 2026 Revision 10',
);

describe('suggestCodes', () => {
  it.each([
    ['302.11', ['0302.11']],
    ['302.1', ['0302.10']],
    ['302110010', ['0302.11.00.10']],
    ['302110010.0', ['0302.11.00.10']],
    ['902.101', ['0902.10.10', '9021.01']],
    ['7318.1', ['7318.10', '7318.01']],
    ['7318.15.2', ['7318.15.20', '7318.15.02']],
    ['7318.5.20', ['7318.05.20']],
    ['07318152061', ['7318.15.20.61']],
    ['731815.00', ['7318.15', '7318.15.00']],
    ['8471/8473', ['8471', '8473', '8471.84.73']],
    ['7318.15.2O61', ['7318.15.20.61']],
    ['7318.15.2061 bolts', ['7318.15.20.61']],
    ['7318.15.__', ['7318.15']],
    ['7.31815E+09', []],
    ['7318.15.2061', []],
    ['9903.82.02', []],
    ['bolts', []],
    ['', []],
  ])('suggests the possible codes for %j if no export is provided', (text, codes) => {
    expect(suggestCodes(text)).toEqual(codes);
  });

  it.each([
    ['302.11', ['0302.11']],
    ['302.1', ['0302']],
    ['302110000', ['0302.11.00']],
    ['902.101', ['0902.10.10']],
    ['731815206', ['7318.15.20.61', '7318.15.20.65']],
    ['7318.15.061', ['7318.15.20.61']],
    ['73181520610', ['7318.15.20.61']],
    ['7.31815206E+09', ['7318.15.20.55', '7318.15.20.61']],
    ['7.31816E+09', ['7318.15.50.30', '7318.15.50.51', '7318.15.50.90']],
    ['7.3E+09', ['7318.15.20', '7318.15.40', '7318.15.50']],
    ['3.0211E+08', ['0302.11.00.10', '0302.11.00.90']],
    ['731815.00', ['7318.15']],
    ['302.99', ['0302']],
    ['888.11', []],
    ['9.9E+99', []],
  ])('suggests only existing codes for %j if an export is provided', (text, codes) => {
    expect(suggestCodes(text, nomenclature)).toEqual(codes);
  });

  it('suggests up to five valid codes, and only existing codes if an export is provided', () => {
    const text = fc
      .array(fc.constantFrom(...'0123456789.', ' ', 'E+09', '.0', '7318', '0302'), { maxLength: 14 })
      .map(pieces => pieces.join(''));
    fc.assert(
      fc.property(text, text => {
        const known = suggestCodes(text, nomenclature);
        const possible = suggestCodes(text);
        if (parseHtsCode(text).ok) expect([...known, ...possible]).toEqual([]);
        expect(Math.max(known.length, possible.length)).toBeLessThanOrEqual(MAX_SUGGESTIONS);
        for (const code of [...known, ...possible]) {
          const parsed = parseHtsCode(code);
          expect(parsed.ok && formatHtsCode(parsed.digits)).toBe(code);
        }
        expect(known.every(code => nomenclature.has(code.replaceAll('.', '')))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
