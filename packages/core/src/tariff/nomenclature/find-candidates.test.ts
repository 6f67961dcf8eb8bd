import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ProductText, prepareCandidates } from './find-candidates.ts';
import { loadNomenclature } from './nomenclature.ts';

const row = (htsno: string, indent: number, description: string) => ({ htsno, indent: `${indent}`, description });
const NOMENCLATURE = loadNomenclature(
  [
    row('6109', 0, 'T-shirts, knitted:'),
    row('6109.10.00', 1, 'Of cotton'),
    row('6109.10.00.12', 2, 'Men’s'),
    row('6109.10.00.40', 2, 'Women’s'),
    row('6211', 0, 'Garments, other than knitted garments:'),
    row('6211.42.10.00', 1, 'Of cotton'),
    row('7318', 0, 'Screws, bolts and nuts, of iron or steel:'),
    row('7318.15.20', 1, 'Bolts'),
    row('7318.15.20.46', 2, 'Of stainless steel'),
    row('7318.15.20.95', 2, 'Other'),
    row('7318.16.00.85', 1, 'Nuts'),
    row('8708.99.81', 0, 'Parts of vehicles'),
    row('9801.00.10', 0, 'Returned bolts of stainless steel'),
  ],
  'Sample',
);
const find = prepareCandidates(NOMENCLATURE);
const codesOf = (product: ProductText, options?: Parameters<typeof find>[1]) =>
  find(product, options).map(({ hts }) => hts);

describe('prepareCandidates', () => {
  it('ranks highest the number whose description shares the most distinctive words with the product, and returns those words', () => {
    const [first] = find({ title: 'Stainless hex bolt M8, box of 50', type: 'Hardware' });
    expect(first).toEqual({
      hts: '7318.15.20.46',
      description: ['Screws, bolts and nuts, of iron or steel:', 'Bolts', 'Of stainless steel'],
      words: ['stainless', 'bolt'],
    });
  });

  it('matches words in the material and the product type', () => {
    expect(codesOf({ title: 'Bolt', material: 'Stainless steel' })[0]).toBe('7318.15.20.46');
    expect(codesOf({ title: 'M8 × 40', type: 'Nuts' })[0]).toBe('7318.16.00.85');
  });

  it('returns all numbers under a short code, starting with those whose descriptions share words with the text', () => {
    expect(find({ title: 'Bolt, stainless' }, { under: '731815' }).map(({ hts, words }) => [hts, words])).toEqual([
      ['7318.15.20.46', ['bolt', 'stainless']],
      ['7318.15.20.95', ['bolt']],
    ]);
    expect(codesOf({ title: 'Gift card' }, { under: '7318' })).toHaveLength(3);
  });

  it('returns no candidates for a missing code if no words match', () => {
    expect(codesOf({ title: 'Gutschein über 50 Euro' })).toEqual([]);
    expect(codesOf({ title: '' })).toEqual([]);
  });

  it('doesn’t match words that name excluded articles', () => {
    expect(codesOf({ title: 'Knitted shirt' })).toEqual(['6109.10.00.12']);
  });

  it('adds the suffix 00 to an undivided subheading, and omits chapters 98 and 99', () => {
    expect(codesOf({ title: 'Vehicle part' })).toEqual(['8708.99.81.00']);
    expect(codesOf({ title: 'Returned goods' })).toEqual([]);
  });
});

describe('a search for any product', () => {
  const word = fc.constantFrom(
    'Stainless',
    'bolts',
    'NUT',
    'cotton',
    'knitted',
    'parts',
    'Schraube',
    'ボルト',
    'the',
    '8',
  );
  const text = fc.array(word, { maxLength: 6 }).map(words => words.join(' '));
  const product = fc.record({ title: text, type: fc.option(text), material: fc.option(text) });
  const under = fc.constantFrom(undefined, '7318', '731815', '6109', '0101');

  it('returns existing codes that start with the short code, without duplicates', () => {
    fc.assert(
      fc.property(product, under, fc.integer({ min: 0, max: 4 }), (product, under, limit) => {
        const codes = codesOf(product, { under, limit }).map(hts => hts.replaceAll('.', ''));
        expect(codes.length).toBeLessThanOrEqual(limit);
        expect(new Set(codes).size).toBe(codes.length);
        for (const code of codes) expect([code.startsWith(under ?? ''), NOMENCLATURE.has(code)]).toEqual([true, true]);
      }),
    );
  });

  it('returns only words that are in both the product’s text and the description', () => {
    fc.assert(
      fc.property(product, under, (product, under) => {
        const given = Object.values(product).join(' ').toLowerCase();
        for (const { words, description } of find(product, { under })) {
          for (const word of words) {
            expect(given).toContain(word);
            expect(description.join(' ').toLowerCase()).toContain(word.replace(/s$/, ''));
          }
          expect(under !== undefined || words.length > 0).toBe(true);
        }
      }),
    );
  });

  it('returns the same candidates regardless of the order and case of the words', () => {
    fc.assert(
      fc.property(product, under, (product, under) => {
        const title = product.title.split(' ').reverse().join(' ').toUpperCase();
        expect(codesOf({ ...product, title }, { under })).toEqual(codesOf(product, { under }));
      }),
    );
  });
});
