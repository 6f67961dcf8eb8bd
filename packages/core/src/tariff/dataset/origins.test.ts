import { expect, it } from 'vitest';
import { includesOrigin, parseOrigin } from './origins.ts';

/** The English names and codes of the 27 EU member states. */
const MEMBERS =
  'Austria AT, Belgium BE, Bulgaria BG, Croatia HR, Cyprus CY, Czechia CZ, Denmark DK, Estonia EE, Finland FI, France FR, Germany DE, ' +
  'Greece GR, Hungary HU, Ireland IE, Italy IT, Latvia LV, Lithuania LT, Luxembourg LU, Malta MT, Netherlands NL, Poland PL, ' +
  'Portugal PT, Romania RO, Slovakia SK, Slovenia SI, Spain ES, Sweden SE';

it('treats only `EU` and the 27 member states as origins in the European Union', () => {
  const codes = MEMBERS.match(/[A-Z]{2}(?=,|$)/g)!;
  expect(codes).toHaveLength(27);
  expect(codes.filter(code => !includesOrigin(['EU'], code))).toEqual([]);
  expect(['GB', 'CH', 'NO', 'TR', 'US', 'UA'].filter(code => includesOrigin(['EU'], code))).toEqual([]);
  expect([includesOrigin(['EU'], 'EU'), includesOrigin(['JP'], 'DE'), includesOrigin(['JP'], 'JP')]).toEqual([
    ...[true, false, true],
  ]);
});

it.each([
  ['de', 'DE'],
  ['UK', 'GB'],
  ['EU', 'EU'],
  ['ZZ', null],
  ['UN', null],
  ['', null],
  ['D', null],
  ['DEU', null],
  ['1D', null],
])('parses the country of origin %j as %j', (text, origin) => {
  expect(parseOrigin(text)).toBe(origin);
});
