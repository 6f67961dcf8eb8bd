import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COUNTRY_PATTERN, countryCodeOf } from '../places/places.ts';
import { LINE_PATTERN, LINES_PATTERN, multilineText, text } from './text.ts';

/** All characters in planes 0 and 1, the tags in plane 14, and the last characters in each plane, except surrogates. */
const CHARACTERS = [
  [0, 0xd7ff],
  [0xe000, 0x1ffff],
  [0xe0000, 0xe1fff],
  ...Array.from({ length: 15 }, (_, at) => [(at + 3) * 0x10000 - 4, (at + 3) * 0x10000 - 1]),
].flatMap(([first = 0, last = 0]) =>
  Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)),
);

describe.each([
  ['line', LINE_PATTERN, text(300)],
  ['lines', LINES_PATTERN, multilineText(300)],
] as const)('the JSON Schema pattern for a text field (%s)', (_, pattern, schema) => {
  const documented = new RegExp(pattern, 'u');

  it('accepts and rejects the same characters as the service', () => {
    const differing = CHARACTERS.filter(character => {
      const inside = `a${character}b`;
      return (
        documented.test(character) !== schema.safeParse(character).success ||
        documented.test(inside) !== schema.safeParse(inside).success
      );
    });
    expect(differing).toEqual([]);
  });

  it('accepts the same sequences of spaces, invisible characters, and line breaks as the service', () => {
    const unit = fc.constantFrom(
      'a',
      ' ',
      '\t',
      '\u00a0',
      '\u200b',
      '\ufeff',
      '\n',
      '\r',
      '\u2028',
      '\u{e0001}',
      '\u0000',
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 8 }), value => {
        expect(documented.test(value)).toBe(schema.safeParse(value).success);
      }),
      { numRuns: 2000 },
    );
  });

  it('rejects long text quickly', () => {
    const started = performance.now();
    for (const part of [' ', 'a', 'a ', '\u200b ', '\n'])
      expect(documented.test(`${part.repeat(5_000)}\u0000`)).toBe(false);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

it('uses a JSON Schema pattern that matches only recognized country names', () => {
  const names = COUNTRY_PATTERN.slice('^(?:'.length, -')$'.length)
    .split('|')
    .slice(1)
    .map(name => name.replaceAll(/\[(.)\]/g, '$1'));
  expect(names.length).toBeGreaterThan(700);
  for (const name of names) {
    expect(new RegExp(COUNTRY_PATTERN, 'u').test(name)).toBe(true);
    expect(countryCodeOf(name.normalize('NFC')), name).toMatch(/^[A-Z]{2}$/);
  }
  expect(new RegExp(COUNTRY_PATTERN, 'u').test('Atlantis')).toBe(false);
});
