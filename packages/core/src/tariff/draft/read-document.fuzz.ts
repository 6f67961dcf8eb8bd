import type { FuzzTarget } from '@compliance/fuzz';
import { isCalendarDate } from '../dates.ts';
import { readDocument } from './read-document.ts';

/** Fuzz target for `readDocument`. Each line of the input is a paragraph. */
export default {
  covers: ['packages/core/src/tariff/draft/read-document.ts'],
  seeds: [
    [
      'CSMS # 70999999 - GUIDANCE',
      'The following headings apply on or after 12:01 a.m. Eastern Standard Time on December 1, 2026:',
      '9903.83.01 | 25 percent for 8101.10.00 and 8101.94.0000',
      'FILING INSTRUCTIONS',
      '9903.83.02 at 15%, and 9903.83.03 at 12.5 per cent through March 1, 2027',
    ].join('\n'),
    'Proclamation 11099 of November 20, 2026\n9903.83.01 is effective June 8, 2026, or effective July 1, 2026.\n[FR Doc. 2026-25555 Filed',
  ],
  words: [
    '9903.83.01',
    '8101.94.00',
    ' effective ',
    'on or after ',
    'June 8, 2026',
    '25%',
    ':',
    '\n',
    'CSMS 18-000240',
    '(EDT)',
  ],
  maxLength: 2_000,
  holds(input) {
    const paragraphs = input.split('\n').map((text, index) => ({ text, location: `${index}` }));
    const textAt = (location: string) => paragraphs[Number(location)]!.text.replace(/\s+/g, ' ');
    for (const kind of ['csms', 'federal_register'] as const) {
      const facts = readDocument({ kind, name: 'document', paragraphs, unread: [] });
      if (facts.citation === '') throw new Error('returns an empty citation');
      for (const [heading, location] of facts.headings) {
        if (!textAt(location).includes(heading)) throw new Error('returns a heading that is not at its location');
      }
      for (const [code, location] of facts.codes) {
        if (!/^(\d{6}|\d{8}|\d{10})$/.test(code) || code >= '98') throw new Error('returns an invalid code');
        if (!textAt(location).replaceAll('.', '').includes(code))
          throw new Error('returns a code that is not at its location');
      }
      for (const [heading, dates] of facts.dates) {
        if (!facts.headings.has(heading)) throw new Error('returns a date for a heading that is not in the text');
        for (const { value, location } of dates) {
          if (!isCalendarDate(value)) throw new Error('returns an invalid date');
          if (!textAt(location).includes(value.slice(0, 4)))
            throw new Error('returns a date that is not at its location');
        }
      }
      for (const stated of facts.rates.values()) {
        for (const { value, location } of stated) {
          if (!(value >= 0 && value < 1000)) throw new Error('returns an invalid rate');
          if (!/%|per ?cent/i.test(textAt(location))) throw new Error('returns a rate that is not at its location');
        }
      }
    }
  },
} satisfies FuzzTarget;
