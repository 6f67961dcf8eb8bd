import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { catalog } from './catalog.ts';
import { resolveCitation } from './resolve.ts';
import { splitCitations } from './split.ts';

describe('splitCitations', () => {
  it.each([
    ['16 CFR 1203, 16 CFR 1303', ['16 CFR 1203', '16 CFR 1303']],
    ['16 CFR parts 1203 and 1303', ['16 CFR part 1203', '16 CFR 1303']],
    ['16 CFR §§ 1203, 1303 & 1512', ['16 CFR § 1203', '16 CFR 1303', '16 CFR 1512']],
    ['16 CFR 1203/1303', ['16 CFR 1203', '16 CFR 1303']],
    ['16 CFR 1203 16 CFR 1303', ['16 CFR 1203', '16 CFR 1303']],
    ['16 CFR 1203 (Helmets, bicycle); 16 CFR 1303', ['16 CFR 1203 (Helmets, bicycle)', '16 CFR 1303']],
    ['16 CFR 1203.4, 1203.5 and 1303', ['16 CFR 1203.4, 1203.5', '16 CFR 1303']],
    ['16 CFR 1203 / ANSI/UL 4200A', ['16 CFR 1203', 'ANSI/UL 4200A']],
    ['15 USC 2056e, 2056c', ['15 USC 2056e', '15 U.S.C. 2056c']],
    ['15 U.S.C. 2056e and 16 CFR 1303', ['15 U.S.C. 2056e', '16 CFR 1303']],
    ['§ 1203 and § 1303', ['16 CFR 1203', '16 CFR 1303']],
    ['16 CFR 1203, 16 CFR 1999', ['16 CFR 1203', '16 CFR 1999']],
    ['Bicycle helmets; lead paint', ['Bicycle helmets', 'lead paint']],
  ])('splits %s', (text, citations) => {
    expect(splitCitations(text)).toEqual({ citations, ambiguous: [] });
  });

  it.each([
    '16 CFR 1500.86(a)(7) and (8)',
    '16 CFR 1203, Safety Standard for Bicycle Helmets',
    '16 CFR 1303, Ban of Lead-Containing Paint and Certain Consumer Products Bearing Lead-Containing Paint',
    '16 CFR 1272, Marking of Toy, Look-Alike, and Imitation Firearms',
    '16 CFR 1203.11 to 1203.17',
    '16 CFR 1263.3 / ANSI/UL 4200A',
    '16 CFR 1250, ASTM F963-23',
    '16 CFR 1203, 1998',
    '16 CFR 1203, certified under 16 CFR 1110',
    'ANSI/APSP/ICC-16',
    'Our own rule, and another',
  ])('treats %s as one rule', text => {
    expect(splitCitations(text)).toEqual({ citations: [text], ambiguous: [] });
  });

  it.each([
    ['16 CFR 1632-1633', ['16 CFR 1632', '16 CFR 1633']],
    ['16 CFR 1203, lead paint', ['16 CFR 1203', '16 CFR 1303']],
    ['Helmets: 16 CFR 1203, 16 CFR 1303', ['16 CFR 1303', '16 CFR 1203']],
  ])('suggests the rules named in %s without splitting the text', (text, ambiguous) => {
    expect(splitCitations(text)).toEqual({ citations: [text], ambiguous });
  });

  it('never splits the citation of a single rule, with or without its subject', () => {
    for (const { citation, subject, aliases } of catalog.rules) {
      const names = [citation, subject, ...aliases, `${citation}, ${subject}`, `${citation} (${subject})`];
      for (const name of names) expect([name, splitCitations(name).citations]).toEqual([name, [name]]);
    }
  });

  it('finds every rule in a list of citations, regardless of format and separator', () => {
    const numbered = catalog.rules.filter(({ citation }) => !citation.includes(' and '));
    const separator = fc.constantFrom(', ', '; ', ' & ', ' / ', '/', ' and ', ', and ', ' + ', ',', ' ');
    const forms = fc.constantFrom<(citation: string) => string>(
      citation => citation,
      citation => citation.replace('16 CFR ', '16 C.F.R. § '),
      citation => citation.replace('16 CFR ', '16 cfr part '),
      citation => citation.replace('15 U.S.C. ', '15 USC '),
    );
    const rule = fc.tuple(fc.constantFrom(...numbered), forms, separator);
    fc.assert(
      fc.property(fc.uniqueArray(rule, { minLength: 1, maxLength: 8, selector: ([each]) => each }), list => {
        const text = list
          .map(([{ citation }, form, between], at) => `${at > 0 ? between : ''}${form(citation)}`)
          .join('');
        expect(splitCitations(text).citations.map(each => resolveCitation(each).rule)).toEqual(
          list.map(([each]) => each),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it('never drops a rule number or a word of a rule’s name', () => {
    const piece = fc.constantFrom(
      '16 CFR',
      '1203',
      '1303',
      '§',
      'part',
      'and',
      ',',
      ';',
      '/',
      '(',
      ')',
      'lead',
      'toys',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), pieces => {
        const { citations } = splitCitations(pieces.join(' '));
        const joined = citations.join(' ');
        for (const each of pieces) if (/^\d{4}$|^[lt]/.test(each)) expect(joined).toContain(each);
      }),
    );
  });

  it('splits 20,000 characters or more in less than two seconds', () => {
    for (const text of ['16 CFR '.repeat(5000), '('.repeat(20_000), ', '.repeat(20_000), '1203 and '.repeat(5000)]) {
      const start = performance.now();
      splitCitations(text);
      expect(performance.now() - start).toBeLessThan(2000);
    }
  });
});
