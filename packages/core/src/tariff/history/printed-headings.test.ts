import { describe, expect, it } from 'vitest';
import { NomenclatureError } from '../nomenclature/nomenclature.ts';
import { parsePrintedRate, printedHeadings } from './printed-headings.ts';

const SUBHEADING = 'The duty provided in the applicable subheading';

describe('printedHeadings', () => {
  const row = (htsno: string, indent: string, description: string, general?: string) => ({
    htsno,
    indent,
    description,
    general,
  });

  it('returns the 9903 headings, each with the text of its ancestor rows', () => {
    const rows = [
      row('7601.10.30', '0', 'Aluminum'),
      row('', '0', 'Products of <i>Argentina</i>:'),
      row('9903.85.05', '1', 'Unwrought  aluminum', ' No change. '),
      row('9903.85.21', '0', 'Products of Canada'),
      row('9904.01.01', '0', 'Other'),
    ];
    expect(printedHeadings(rows)).toEqual([
      {
        heading: '9903.85.05',
        text: 'Products of Argentina: Unwrought aluminum',
        general: 'No change.',
        special: '',
        other: '',
      },
      { heading: '9903.85.21', text: 'Products of Canada', general: '', special: '', other: '' },
    ]);
  });

  it('rejects an export without 9903 headings', () => {
    expect(() => printedHeadings([row('7601.10.30', '0', 'Aluminum')])).toThrow(NomenclatureError);
  });
});

describe('parsePrintedRate', () => {
  it.each([
    ['', { type: 'blank' }],
    ['No change', { type: 'none' }],
    ['no change.', { type: 'none' }],
    ['Free', { type: 'none' }],
    [`${SUBHEADING}.`, { type: 'none' }],
    [`${SUBHEADING} (AU,BH, CA)`, { type: 'none' }],
    ['The duty provided for in the applicable subheading', { type: 'none' }],
    ['15%', { type: 'total', pct: 15 }],
    [`${SUBHEADING} + 7.5%`, { type: 'additional', pct: 7.5, basis: 'full_customs_value' }],
    [`${SUBHEADING} +25%`, { type: 'additional', pct: 25, basis: 'full_customs_value' }],
    [`${SUBHEADING} plus 25%`, { type: 'additional', pct: 25, basis: 'full_customs_value' }],
    [`${SUBHEADING} + 10% (CA, MX, S)`, { type: 'additional', pct: 10, basis: 'full_customs_value' }],
    [
      `${SUBHEADING} + a duty of 50% upon the value of the steel content.`,
      { type: 'additional', pct: 50, basis: 'metal_content_value' },
    ],
    [
      `${SUBHEADING} + a duty of 50% upon the value of the copper content`,
      { type: 'additional', pct: 50, basis: 'copper_content_value' },
    ],
    [
      `${SUBHEADING} + a duty of 25% upon the value of the non-U.S. content`,
      { type: 'additional', pct: 25, basis: 'non_us_content_value' },
    ],
  ])('parses the rate %j', (text, rate) => {
    expect(parsePrintedRate(text)).toEqual(rate);
  });

  it.each([
    `${SUBHEADING} less 5%`,
    `${SUBHEADING} + a duty of 50% upon the value of the titanium content`,
    '5.3¢/kg + 10%',
    'Free + 30%',
    'about 15%',
    '15% or more',
  ])('returns null for the unrecognized rate %j', text => {
    expect(parsePrintedRate(text)).toBeNull();
  });
});
