import { describe, expect, it } from 'vitest';
import { type OfficialDocument, readDocument } from './read-document.ts';

const read = (lines: readonly string[], kind: OfficialDocument['kind'] = 'csms') =>
  readDocument({
    ...{ kind, name: 'message.docx', unread: [] },
    paragraphs: lines.map((text, index) => ({ text, location: `paragraph ${index + 1}` })),
  });
const at = <Value>(value: Value, paragraph: number) => ({ value, location: `paragraph ${paragraph}` });

describe('readDocument', () => {
  it('assigns an introduction’s date and rate to the headings listed after it', () => {
    const facts = read([
      'CSMS # 70999999 - GUIDANCE: Section 232 Import Duties on Tungsten',
      'BACKGROUND',
      'On November 20, 2026, the President issued Proclamation 11099. Proclamation 11021 was effective April 6, 2026.',
      'GUIDANCE',
      'Effective with respect to articles entered for consumption, or withdrawn from warehouse for consumption, on or after 12:01 a.m. Eastern Standard Time on December 1, 2026, the following classifications and 25 percent duty rate apply:',
      '9903.83.01: Articles of tungsten listed in subdivision (b)',
      '9903.83.02: Products of Japan, with a rate of 15%',
      'FILING INSTRUCTIONS',
      'Report 9903.83.03 for exempt articles.',
    ]);
    expect(facts.citation).toBe('CSMS 70999999');
    expect(facts.dates).toEqual(
      new Map([
        ['9903.83.01', [at('2026-12-01', 5)]],
        ['9903.83.02', [at('2026-12-01', 5)]],
      ]),
    );
    expect(facts.rates).toEqual(
      new Map([
        ['9903.83.01', [at(25, 5)]],
        ['9903.83.02', [at(15, 7)]],
      ]),
    );
    expect([...facts.headings.keys()]).toEqual(['9903.83.01', '9903.83.02', '9903.83.03']);
  });

  it.each([
    'Heading 9903.83.01 applies on or after 12:01 a.m. eastern daylight time on June 8, 2026.',
    'Heading 9903.83.01 is effective June 8, 2026.',
    'Effective 12:01 a.m. EDT, June 8, 2026, report 9903.83.01.',
    'Effective on June 08, 2026, report 9903.83.01.',
    'effective as of JUNE 8, 2026: 9903.83.01',
    'on or after 12:01 a.m. eastern time (EDT) on June 8, 2026, 9903.83.01',
  ])('reads the effective date in: %s', text => {
    expect(read([text]).dates.get('9903.83.01')).toEqual([at('2026-06-08', 1)]);
  });

  it.each([
    'Heading 9903.83.01 applies before June 8, 2026.',
    'Heading 9903.83.01 applies through June 8, 2026.',
    'On June 8, 2026, the President modified heading 9903.83.01.',
    'Heading 9903.83.01 is effective June 31, 2026.',
    'Heading 9903.83.01 is effective June 8, 2026, or, for some articles, effective July 1, 2026.',
  ])('doesn’t guess an effective date from: %s', text => {
    expect(read([text]).dates.size).toBe(0);
  });

  it('reports other dates in a paragraph about a heading separately from the heading’s effective date', () => {
    const facts = read(['9903.83.01 is effective June 8, 2026, through February 9, 2027.']);
    expect(facts.otherDates).toEqual([at('2027-02-09', 1)]);
  });

  it('applies a document’s effective date to all of its headings only if the document states a single effective date', () => {
    const clause = 'The duty applies to goods entered on or after December 1, 2026.';
    expect(read([clause, 'Heading 9903.83.01 | 25%']).dates.get('9903.83.01')).toEqual([at('2026-12-01', 1)]);
    const others = [clause, 'Heading 9903.83.01 | 25%', 'It was effective April 6, 2026.'];
    expect(read(others).dates.size).toBe(0);
  });

  it('assigns a rate to a heading only if the rate is unambiguous', () => {
    const { rates } = read([
      '9903.83.01 at 25 percent ad valorem, and 9903.83.02 at 12.5%',
      '9903.83.03: 25% or 50%',
      '9903.83.04 and 9903.83.05: 10 per cent',
    ]);
    expect(Object.fromEntries([...rates].map(([heading, [first]]) => [heading, first!.value]))).toEqual({
      '9903.83.01': 25,
      '9903.83.02': 12.5,
      '9903.83.05': 10,
    });
  });

  it('keeps every effective date that a document states for a heading, so that a reviewer sees conflicts', () => {
    const facts = read(['9903.83.01 is effective June 8, 2026.', '9903.83.01 is effective June 9, 2026.']);
    expect(facts.dates.get('9903.83.01')).toEqual([at('2026-06-08', 1), at('2026-06-09', 2)]);
  });

  it('reads HTS codes in every printed form, and ignores years, Chapter 99 headings, and amounts', () => {
    const { codes } = read([
      '8101.10 | 8101.94.00 | 8101.96.00.00 | 8101.99.8000 9903.83.01 9802.00.60 2026 1000.50.1 7.5',
    ]);
    expect([...codes.keys()]).toEqual(['810110', '81019400', '81019600', '81019980']);
  });

  it('cites a proclamation with its Federal Register document number', () => {
    const { citation, address } = read(
      ['Proclamation 11099 of November 20, 2026', '[FR Doc. 2026-25555 Filed 11-24-26; 8:45 am]'],
      'federal_register',
    );
    expect(citation).toBe('Proclamation 11099 (FR Doc. 2026-25555)');
    expect(address).toBe('https://www.federalregister.gov/d/2026-25555');
    expect(read(['An attachment'], 'federal_register').citation).toBe('message.docx');
    expect(read(['An attachment']).citation).toBe('message.docx');
  });

  it('reads a long malicious paragraph in linear time', () => {
    const text = `${'effective 12:01 a.m. eastern '.repeat(20_000)}${'9903.83.01 1.'.repeat(20_000)}${'1'.repeat(100_000)}`;
    expect(read([text]).headings.size).toBe(1);
  });
});
