import { parseOrigin } from '@compliance/core/tariff';
import { expect, it } from 'vitest';
import { COUNTRY_CODES, countriesIn, countryTyped, searchCountries } from './countries.ts';

it('lists 249 unique country codes, each of which is a valid country of origin', () => {
  expect(COUNTRY_CODES).toHaveLength(249);
  expect(new Set(COUNTRY_CODES).size).toBe(249);
  expect(COUNTRY_CODES.filter(code => parseOrigin(code) !== code)).toEqual([]);
});

it('sorts countries by their name in the merchant’s language', () => {
  const names = countriesIn('de').map(({ name }) => name);
  expect(names.indexOf('Ägypten')).toBeLessThan(names.indexOf('Belgien'));
});

it('finds a country by its code or by part of its name, ignoring accents', () => {
  const codesOf = (text: string, locale = 'en') => searchCountries(countriesIn(locale), text).map(({ code }) => code);
  expect(codesOf('viet')).toEqual(['VN']);
  expect(codesOf('VN')).toEqual(['VN']);
  expect(codesOf('agypten', 'de')).toEqual(['EG']);
  expect(codesOf('')).toHaveLength(249);
  expect(codesOf('nowhere')).toEqual([]);
});

it('recognizes a complete code or name, or text that appears in only one country’s name', () => {
  const codeOf = (text: string, locale = 'en') => countryTyped(countriesIn(locale), text)?.code;
  expect(['US', 'cn', 'Niger', 'viet'].map(text => codeOf(text))).toEqual(['US', 'CN', 'NE', 'VN']);
  expect([codeOf('vereinigte staaten', 'de'), codeOf('中国', 'ja')]).toEqual(['US', 'CN']);
  expect([codeOf('united'), codeOf('nowhere'), codeOf(' ')]).toEqual([undefined, undefined, undefined]);
});
