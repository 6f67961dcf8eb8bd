import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatHtsCode, parseHtsCode } from './hts-code.ts';
import { readMessyCode } from './messy-code.ts';

describe('parseHtsCode with messy text', () => {
  it.each([
    ['a spreadsheet float', '7318152061.0', '7318152061'],
    ['a float with two decimals', '7318152061.00', '7318152061'],
    ['a float with a decimal comma', '7318152061,0', '7318152061'],
    ['a float of 8 digits', '73181520.0', '73181520'],
    ['a float of 6 digits', '731815.0', '731815'],
    ['a float of 4 digits', '7318.0', '7318'],
    ['a subheading that ends in 00', '7303.00', '730300'],
    ['scientific notation', '7.318152061E+09', '7318152061'],
    ['scientific notation in lowercase', '7.318152061e9', '7318152061'],
    ['scientific notation with a decimal comma', '7,318152061E+09', '7318152061'],
    ['scientific notation with more zeros', '7.318152061000E+09', '7318152061'],
    ['scientific notation of 8 digits', '7.3181520E+07', '73181520'],
    ['scientific notation without an exponent', '7318152061E0', '7318152061'],
    ['thousands separators', '7,318,152,061', '7318152061'],
    ['thousands separators and decimals', '7,318,152,061.00', '7318152061'],
    ['German thousands separators', '7.318.152.061', '7318152061'],
    ['German thousands separators and decimals', '7.318.152.061,00', '7318152061'],
    ['Swiss thousands separators', "7'318'152'061", '7318152061'],
    ['French thousands separators', '7\u202f318\u202f152\u202f061', '7318152061'],
    ['dashes', '7318-15-2061', '7318152061'],
    ['en dashes', '7318–15–20–61', '7318152061'],
    ['non-breaking hyphens', '7318\u201115\u20112061', '7318152061'],
    ['slashes', '7318/15/2061', '7318152061'],
    ['backslashes', '7318\\15\\2061', '7318152061'],
    ['underscores', '7318_15_20_61', '7318152061'],
    ['commas', '7318,15,20,61', '7318152061'],
    ['mixed separators', '7318.15 20-61', '7318152061'],
    ['spaces around dots', '7318 . 15 . 20', '73181520'],
    ['thin spaces', '7318\u200915\u200920\u200961', '7318152061'],
    ['middle dots', '7318·15·20', '73181520'],
    ['a trailing dot', '7318.15.2061.', '7318152061'],
    ['an apostrophe as a text mark', "'7318.15.2061", '7318152061'],
    ['an apostrophe before a leading zero', "'0302110000", '0302110000'],
    ['a text formula', '="0302110000"', '0302110000'],
    ['straight quotes', '"7318.15.2061"', '7318152061'],
    ['curly quotes', '“7318.15.2061”', '7318152061'],
    ['brackets', '(7318.15.2061)', '7318152061'],
    ['a number sign', '#7318152061', '7318152061'],
    ['a label', 'HTS 7318.15.2061', '7318152061'],
    ['a label with a colon', 'HTSUS: 7318.15.2061', '7318152061'],
    ['a label with a noun', 'HS Code 7318.15', '731815'],
    ['full-width digits', '７３１８１５２０６１', '7318152061'],
    ['full-width dots', '７３１８．１５．２０６１', '7318152061'],
    ['a byte order mark', '\ufeff7318.15.2061', '7318152061'],
    ['a zero-width space', '7318.15.2061\u200b', '7318152061'],
    ['tabs and line breaks', '\t7318.15\n.2061\r\n', '7318152061'],
  ])('reads a code from text with %s', (_, text, digits) => {
    expect(parseHtsCode(text)).toEqual({ ok: true, digits });
  });

  it.each([
    ['a number without its leading zero', '302.11', 'length'],
    ['a number without its leading and trailing zeros', '302.1', 'decimal'],
    ['a longer number without its leading and trailing zeros', '902.101', 'decimal'],
    ['a float without its leading zero', '302110000.0', 'decimal'],
    ['scientific notation without a leading zero', '3.02110000E+08', 'length'],
    ['scientific notation with lost digits', '7.31815E+09', 'lost_digits'],
    ['scientific notation with one lost digit', '7.31815206E+09', 'lost_digits'],
    ['scientific notation of a heading', '7318E6', 'lost_digits'],
    ['a huge exponent', '9.9E+99', 'lost_digits'],
    ['5 digits', '73181', 'length'],
    ['7 digits', '7318.15.2', 'length'],
    ['9 digits', '731815206', 'length'],
    ['11 digits', '73181520610', 'too_long'],
    ['two codes', '7318152061, 7318152071', 'too_long'],
    ['two headings', '8471/8473', 'ambiguous'],
    ['a range of headings', '8471-8473', 'ambiguous'],
    ['a float that might be a longer code', '731815.00', 'ambiguous'],
    ['a thousands dot that might be a decimal point', '731.815', 'decimal'],
    ['text that was cut off', '7318.15…', 'placeholder'],
    ['dots for missing digits', '7318.15...', 'placeholder'],
    ['dashes for missing digits', '7318.15.--', 'placeholder'],
    ['underscores for missing digits', '7318.__.2061', 'placeholder'],
    ['letters for missing digits', '7318.15.xx', 'character'],
    ['a letter instead of a digit', '7318.15.2O61', 'character'],
    ['a footnote mark', '7318.15.206¹', 'character'],
    ['a negative exponent', '7.3E-05', 'character'],
    ['a spreadsheet error', '#N/A', 'character'],
    ['empty quotes', '""', 'empty'],
  ])('rejects %s instead of guessing', (_, text, reason) => {
    expect(parseHtsCode(text)).toEqual({ ok: false, reason });
  });
});

/** Digits of codes with a valid chapter and length. */
const anyDigits = fc
  .tuple(fc.integer({ min: 1, max: 97 }), fc.constantFrom(2, 4, 6, 8), fc.nat(99_999_999))
  .filter(([chapter]) => chapter !== 77)
  .map(([chapter, length, rest]) => `${chapter}`.padStart(2, '0') + `${rest}`.padStart(8, '0').slice(0, length));

const fullWidth = (text: string) => text.replace(/[\d.]/g, char => String.fromCharCode(char.charCodeAt(0) + 0xfee0));
const scientific = (digits: string) => `${digits[0]}.${digits.slice(1)}E+${`${digits.length - 1}`.padStart(2, '0')}`;
const groupsOf = (digits: string, sizes: readonly number[]) => {
  let start = 0;
  return sizes.flatMap(size => {
    const group = digits.slice(start, (start += size));
    return group === '' ? [] : [group];
  });
};

const separator = fc.constantFrom(
  ...'.-/_,·|',
  ' ',
  '\u00a0',
  '\u2009',
  '\u202f',
  '\u2011',
  '–',
  ' . ',
  ', ',
  ' - ',
  "'",
);
const mark = fc.constantFrom('', "'", '"', ' ', '\t', '“', 'HTS ', '="', '\ufeff');

describe('properties of parseHtsCode', () => {
  it('reads a code with any separators between its usual groups', () => {
    const sizes = fc.constantFrom([4, 2, 2, 2], [4, 2, 4], [2, 2, 2, 2, 2], [6, 2, 2]);
    const separators = fc.array(separator, { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(
        anyDigits,
        sizes,
        separators,
        mark,
        mark,
        fc.boolean(),
        (digits, sizes, joints, before, after, wide) => {
          const groups = groupsOf(digits, sizes);
          fc.pre(digits.length !== 8 || groups.join() !== `${digits.slice(0, 6)},00`);
          const text = groups.map((group, index) => (index === 0 ? group : joints[index - 1] + group)).join('');
          const written =
            before + (wide ? fullWidth(text) : text) + (after.startsWith('HTS') ? '' : after.replace('="', '"'));
          expect(parseHtsCode(written)).toEqual({ ok: true, digits });
        },
      ),
    );
  });

  it('reads a code that is written as a float, in scientific notation, or in full-width characters', () => {
    const writings = [
      (digits: string) => `${digits}.0`,
      (digits: string) => `'${digits}`,
      scientific,
      fullWidth,
      (digits: string) => fullWidth(formatHtsCode(digits)),
      (digits: string) => fullWidth(`${digits}.0`),
    ];
    fc.assert(
      fc.property(anyDigits, fc.constantFrom(...writings), (digits, write) => {
        expect(parseHtsCode(write(digits))).toEqual({ ok: true, digits });
      }),
      { numRuns: 1000 },
    );
  });

  it('never accepts a number that lost a leading zero', () => {
    const zero = anyDigits.filter(digits => digits.startsWith('0'));
    const numbers = [
      (digits: string) => `${Number(digits)}`,
      (digits: string) => `${Number(digits)}.0`,
      (digits: string) => Number(digits).toExponential().replace('e+', 'E+0'),
      (digits: string) => `${Number(`${digits.slice(0, 4)}.${digits.slice(4)}`)}`,
      (digits: string) => `${Number(`${digits.slice(0, 4)}.${digits.slice(4)}`)}`.replace('.', ','),
    ];
    fc.assert(
      fc.property(zero, fc.constantFrom(...numbers), (digits, write) => {
        // A comma followed by three digits could also be a thousands separator.
        fc.pre(!/^\d{3},\d{3}$/.test(write(digits)));
        expect(parseHtsCode(write(digits)).ok).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  it('rejects a code that lost a digit in scientific notation', () => {
    const ten = anyDigits.filter(digits => digits.length === 10 && !digits.startsWith('0'));
    fc.assert(
      fc.property(ten, fc.integer({ min: 0, max: 8 }), (digits, kept) => {
        expect(parseHtsCode(Number(digits).toExponential(kept)).ok).toBe(false);
      }),
    );
  });

  it('never accepts a code with one digit too few or too many', () => {
    fc.assert(
      fc.property(anyDigits, fc.nat(9), fc.boolean(), (digits, at, add) => {
        const place = at % digits.length;
        const text = digits.slice(0, place) + (add ? '5' : '') + digits.slice(place + (add ? 0 : 1));
        expect(parseHtsCode(text).ok).toBe(false);
      }),
    );
  });

  it('never throws and always returns the digits in their original order', () => {
    const pieces = fc.constantFrom(...'0123456789.,-/E+\'"= _…¹O７．', 'HTS', '00', '.0');
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.array(pieces, { maxLength: 20 }).map(all => all.join('')),
    );
    fc.assert(
      fc.property(text, text => {
        const read = readMessyCode(text);
        const parsed = parseHtsCode(text);
        expect(parsed).toEqual(
          'digits' in read ? { ok: true, digits: read.digits } : { ok: false, reason: read.reason },
        );
        if (!parsed.ok || /e/i.test(text)) return;
        expect(text.normalize('NFKC').replace(/\D/g, '')).toMatch(new RegExp(`^${parsed.digits}0*$`));
      }),
      { numRuns: 5000 },
    );
  });
});
