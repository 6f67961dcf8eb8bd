import { describe, expect, it } from 'vitest';
import { certificate } from '../record/certificate.ts';
import { completeRequest, sampleContext } from '../samples/requests.ts';
import { readAddress } from './address.ts';
import { FOREIGN, foreignAddresses } from './testing/foreign-addresses.ts';
import type { ExpectedAddress } from './testing/random.ts';
import { usAddresses } from './testing/us-addresses.ts';

/** Normalizes case, character width, and separators, because parsing can change them. */
const fold = (text: string) =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s,]+/g, ' ')
    .trim();

/** Returns the names of the parts that were parsed incorrectly. */
function wrongParts({ text, ...expected }: ExpectedAddress): string[] {
  const read = readAddress(text, null);
  if (!read) return ['all'];
  const wrong = (['city', 'state', 'postalCode'] as const).filter(part => fold(read[part]) !== fold(expected[part]));
  return [
    ...wrong,
    ...(read.country === expected.country ? [] : ['country']),
    ...(fold(read.street).includes(fold(expected.street)) ? [] : ['street']),
  ];
}

const {
  address: _,
  city: __,
  state_province: ___,
  postal_code: ____,
  country: _____,
  ...manufacturer
} = completeRequest.manufacturer;

/** Returns whether a certificate is complete with this text as its manufacturer's only address field. */
const isAccepted = ({ text }: ExpectedAddress) =>
  certificate({ ...completeRequest, manufacturer: { ...manufacturer, address: text } }, sampleContext).completeness
    .missing.length === 0;

const failures = (addresses: readonly ExpectedAddress[]) =>
  addresses.flatMap(address => {
    const wrong = wrongParts(address);
    return wrong.length > 0 || !isAccepted(address) ? [`${wrong.join()}: ${JSON.stringify(address.text)}`] : [];
  });

describe('readAddress', () => {
  it('parses at least 99 of 100 U.S. addresses correctly and reports none of their parts as missing', () => {
    const addresses = usAddresses(1000, 20_261_122);
    expect(new Set(addresses.map(({ text }) => text)).size).toBeGreaterThan(990);
    expect(failures(addresses).slice(0, 11).length, failures(addresses).join('\n')).toBeLessThanOrEqual(10);
  });

  it.each(Object.keys(FOREIGN))(
    'parses at least 99 of 100 addresses in %s correctly and reports none of their parts as missing',
    country => {
      const wrong = failures(foreignAddresses(country, 200, 20_261_122));
      expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(2);
    },
  );

  const ugly: readonly [name: string, change: (text: string) => string][] = [
    ['Windows line breaks', text => text.replaceAll('\n', '\r\n')],
    ['bars instead of line breaks', text => text.replaceAll('\n', ' | ')],
    ['semicolons instead of line breaks', text => text.replaceAll('\n', '; ')],
    ['no spaces after commas', text => text.replaceAll(', ', ',')],
    ['empty parts', text => text.replaceAll(', ', ', , ')],
    ['a period at the end', text => `${text}.`],
    ['spaces before and after the text', text => `  ${text} `],
    ['a company name in front', text => `Cascade Imports LLC\n${text}`],
  ];

  it.each(ugly)('parses at least 99 of 100 U.S. addresses with %s correctly', (_, change) => {
    const changed = usAddresses(1000, 7).map(address => ({ ...address, text: change(address.text) }));
    const wrong = changed.filter(address => wrongParts(address).length > 0);
    expect(wrong.length, wrong.map(({ text }) => JSON.stringify(text)).join('\n')).toBeLessThanOrEqual(10);
  });

  it('finds the city in at least nine of ten U.S. addresses without commas', () => {
    const plain = usAddresses(1000, 7).map(address => ({ ...address, text: address.text.replace(/[\s,]+/g, ' ') }));
    const found = plain.filter(({ text }) => readAddress(text, null)?.city !== '');
    expect(found.length).toBeGreaterThan(900);
  });

  it('parses long malicious text quickly', () => {
    const units = ['box 1 ', 'St ', '# ', 'China ', '(', '〒1', '市', '서울 ', 'a, ', '1 ', 'road a ', 'P. ', '-'];
    const start = performance.now();
    for (const unit of units) {
      for (const end of ['', ' OR 97205', ', China', '中国']) {
        readAddress(unit.repeat(500).slice(0, 500) + end, null);
        readAddress(unit.repeat(500).slice(0, 500) + end, 'VN');
      }
    }
    expect(performance.now() - start).toBeLessThan(3000);
  });
});
