import { describe, expect, it } from 'vitest';
import { notesIn, readConditions } from './printed-conditions.ts';

describe('readConditions', () => {
  it.each<[string, string[]]>([
    ['Wood products of the United Kingdom as provided for in note 37', ['GB']],
    ['Iron or steel products of Argentina, of Brazil, or of South Korea enumerated in note 16', ['AR', 'BR', 'KR']],
    [
      'Articles the product of Argentina, the Republic of Korea, or a member nation of the European Union',
      ['AR', 'KR', 'EU'],
    ],
    ['Derivative steel the product of the Russian Federation', ['RU']],
    ['Products of member countries of the European Union', ['EU']],
    ['Steel of Mexico melted and poured in a country other than the United States, Mexico or Canada', ['MX']],
    ['Articles the product of any country identified in general note 3(b)', ['BY', 'CU', 'KP', 'RU']],
    ['Aluminum of Mexico for which the country of most recent cast is China or Iran', ['MX']],
    ['Articles of steel', []],
  ])('reads the countries in %j', (text, countries) => {
    expect(readConditions(text).countries).toEqual(countries);
  });

  it('reads the countries and headings that the text excludes, including heading ranges', () => {
    const text =
      'Except for products described in headings 9903.82.16, 9903.82.20–9903.82.22 and 9903.85.68, products of steel, except products of Australia, of Mexico (as specified), or of Japan';
    expect(readConditions(text)).toMatchObject({
      countries: [],
      excepted: ['AU', 'MX', 'JP'],
      exceptedHeadings: ['9903.82.16', '9903.82.20', '9903.82.21', '9903.82.22', '9903.85.68'],
    });
  });

  it('reads limits on the column 1 rate', () => {
    const ofAtLeast = readConditions(
      'rate of duty under column 1-General or column 1-Special equal to or greater than 15 percent',
    );
    expect([ofAtLeast.column1AtLeast, ofAtLeast.column1LessThan]).toEqual([15, null]);
    const ofLess = readConditions('rate of duty under column1 less than 10 percent');
    expect([ofLess.column1AtLeast, ofLess.column1LessThan]).toEqual([null, 10]);
  });

  it.each<[string, string[]]>([
    ['as provided for in subdivisions (c)(ii), (vi)–(viii) and (e) of U.S. note 16', ['ii', 'vi', 'vii', 'viii']],
    ['as provided for in subdivisions (c)(vi)–(viii) and (xi) of U.S. note 16', ['vi', 'vii', 'viii', 'xi']],
    ['as provided for in subdivision (c) of U.S. note 16', []],
    ['as provided for in subdivision (c)(i) of U.S. note 37', []],
  ])('reads the subdivisions of note 16(c) in %j', (text, subdivisions) => {
    expect(readConditions(text).subdivisions16c).toEqual(subdivisions);
  });

  it('recognizes standard phrases for conditions', () => {
    const { phrases } = readConditions(
      'Products of Brazil, if entered in aggregate quantities prescribed in note 16(e)',
    );
    expect(phrases).toEqual(['quota quantity']);
    expect(readConditions('admitted under “privileged foreign status”').privilegedForeignStatus).toBe(true);
  });
});

describe('notesIn', () => {
  it.each<[string, number[]]>([
    ['subdivision (b) of U.S. note 38 to this subchapter', [38]],
    ['U.S. notes 16 and 44 to this subchapter', [16, 44]],
    ['U.S. note15(a) to this subchapter', [15]],
    ['general note 3(b) and statistical note 1', []],
    ['note 1(d) to chapter 76 and note 1(d) to this chapter', []],
    ['Additional U.S. Note 3(a) to chapter 2', []],
  ])('reads the U.S. note numbers in %j', (text, notes) => {
    expect(notesIn(text)).toEqual(notes);
  });
});
