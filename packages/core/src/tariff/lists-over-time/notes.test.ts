import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EDITION } from '../edition/edition.ts';
import { listingOn, PROVISIONS } from '../edition/provisions.ts';
import { LookupOptionError } from '../lookup/lookup.ts';
import { NomenclatureError } from '../nomenclature/nomenclature.ts';
import { checkNotes } from './notes.ts';

/** As the HTS prints it in a note: the statistical suffix without a dot. */
const asPrinted = (hts: string) => hts.replace(/^(\d{4}\.\d\d\.\d\d)\.(\d\d)$/, '$1$2');

const rows = (codes: readonly string[]) =>
  Array.from(
    { length: Math.ceil(codes.length / 4) },
    (_, at) => `                   ${codes.slice(at * 4, at * 4 + 4).join('    ')}`,
  ).join('\n');

/** Text of the notes as the lists of a date have them: each subdivision with its table, in the order of the HTS. */
function notesOn(date: string): string {
  const lists = EDITION.lists
    .map(list => ({
      number: /note (\d+)\((.+?)\)(?:\((\w+)\))?/.exec(list.note)?.slice(1) ?? [],
      codes: PROVISIONS.filter(provision => provision.list === list && listingOn(provision, date)),
    }))
    .filter(({ number, codes }) => number.length > 0 && codes.length > 0)
    .sort((a, b) => Number(a.number[0]) - Number(b.number[0]));
  const parts = ['99 - III - 1', 'U.S. Notes'];
  let at = { note: '', letter: '' };
  for (const {
    number: [note, letter, under],
    codes,
  } of lists.sort(inOrder)) {
    if (note !== at.note) {
      parts.push(`${note}. (a)  The headings below provide the duty of certain articles.`);
      at = { note: note!, letter: 'a' };
    }
    for (const next of LETTERS.filter(next => at.letter < next && next <= letter!)) parts.push(`(${next}) Text:`);
    at.letter = letter!;
    if (under) parts.push(`         (${under}) Articles of this list:`);
    parts.push(rows(codes.map(({ hts }) => asPrinted(hts))));
  }
  return parts.join('\n\n');
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const ROMAN = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x', 'xi'];
const inOrder = (a: { number: string[] }, b: { number: string[] }) =>
  Number(a.number[0]) - Number(b.number[0]) ||
  a.number[1]!.localeCompare(b.number[1]!) ||
  ROMAN.indexOf(a.number[2]!) - ROMAN.indexOf(b.number[2]!);

const bounds = [...new Set(EDITION.lists.flatMap(({ cohorts }) => cohorts.map(cohort => cohort.effective_from)))];

describe('checkNotes', () => {
  it.each(bounds.filter(date => date >= '2026-04-06'))(
    'finds nothing in a text that says what the lists of %s say',
    date => {
      const check = checkNotes(notesOn(date), date);
      expect(check.compared.filter(({ gained, lost }) => gained.length + lost.length > 0)).toEqual([]);
      expect(check.not_found.every(({ note }) => note.includes('not yet published'))).toBe(true);
    },
  );

  it('names what came and what left between two dates, list by list', () => {
    const check = checkNotes(notesOn('2026-06-08'), '2026-04-06');
    const of = (list: string) => check.compared.find(({ lists }) => lists.includes(list))!;
    expect(of('steel-16c-vii')).toMatchObject({ subdivisions: ['16(c)(vii)'], listed: 301, printed: 242 });
    expect(of('steel-16c-vii').gained).toEqual(['9403.20.00.75', '9403.20.00.82', '9403.99.90.40']);
    expect(of('steel-16c-vii').lost).toHaveLength(62);
    expect(of('steel-16c-x').gained).toHaveLength(34);
    expect(of('aluminum-16c-vi')).toMatchObject({ gained: ['3701.30.00'] });
  });

  it('says which list it did not find in a text of a part', () => {
    const part = '38. (c) Buses:\n     8702.10.31    8702.10.61\n     8702.20.31';
    const check = checkNotes(part, '2026-10-01');
    expect(check.compared).toMatchObject([{ lists: ['buses-38c'], listed: 10, printed: 3 }]);
    expect(check.not_found).toContainEqual({ list: 'trucks-38b', note: expect.stringContaining('38(b)') });
  });

  it('compares lists together whose columns the text mixes, from one table to the next', () => {
    const text = '38. (b) Trucks:\n8701.21.00\n(c) Buses:\n(1) Some:    8702.10.31    8702.10.61\n8702.20.31';
    const check = checkNotes(text, '2026-10-01');
    expect(check.compared).toMatchObject([
      { subdivisions: ['38(b)', '38(c)(1)'], lists: ['buses-38c', 'trucks-38b'], listed: 35, printed: 4, gained: [] },
    ]);
  });

  it('compares together lists that share one of several tables', () => {
    const text = '43. (c) Aircraft:\n(2) Some:\n8806.22.00\n(3) Parts:    8806.21.00\n8807\n(4) Others:\n8525.89';
    expect(checkNotes(text, '2026-10-01').compared).toMatchObject([
      { subdivisions: ['43(c)(2)', '43(c)(3)', '43(c)(4)'], lists: ['uas-43c2', 'uas-43c3-4'], printed: 4 },
    ]);
  });

  it('takes the first subdivision of a text for itself, though its title stands beside a table', () => {
    const check = checkNotes('38. (c) Buses:    8702.10.31    8702.10.61', '2026-10-01');
    expect(check.compared).toMatchObject([{ subdivisions: ['38(c)'], lists: ['buses-38c'], printed: 2 }]);
  });

  it('holds a list against every subdivision that its note names, or that is under it', () => {
    const text = '43. (c) Aircraft:\n(3) Parts:\n8806.21.00\n(4) Others:\n8525.89\n(d) None:\n8807';
    const check = checkNotes(text, '2026-10-01');
    expect(check.compared.find(({ lists }) => lists.includes('uas-43c3-4'))!.subdivisions).toEqual([
      '43(c)(3)',
      '43(c)(4)',
    ]);
    const [buses] = checkNotes('38. (c) Buses.\n(1) Some:\n8702.10.31\n(2) Others:\n8702.10.61', '2026-10-01').compared;
    expect(buses).toMatchObject({ subdivisions: ['38(c)(1)', '38(c)(2)'], lists: ['buses-38c'], printed: 2 });
  });

  it('names what came in the order of the numbers', () => {
    const [buses] = checkNotes('38. (c) Buses:\n8705.90\n8701.21\n8703', '2026-10-01').compared;
    expect(buses!.gained).toEqual(['8701.21', '8703', '8705.90']);
  });

  it('refuses a text without a note, and a date that is none', () => {
    expect(() => checkNotes('Chapter 73\n7301.10.00', '2026-10-01')).toThrow(/No U\.S\. note with a list of codes/);
    expect(() => checkNotes('16. (a) Text alone.', '2026-10-01')).toThrow(NomenclatureError);
    expect(() => checkNotes('', '2026-10-01')).toThrow(NomenclatureError);
    expect(() => checkNotes(notesOn('2026-06-08'), '2026-02-30')).toThrow(LookupOptionError);
  });

  it('throws nothing else, whatever the text is', () => {
    const piece = fc.constantFrom(
      '16. ',
      '(a) ',
      '(i) ',
      '(iv) ',
      '(1) ',
      '(A) ',
      ':',
      '7216.91.0010',
      ' ',
      '\n',
      '\f',
      '99 - III - 1',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 60 }), pieces => {
        try {
          checkNotes(pieces.join(''), '2026-10-01');
        } catch (error) {
          expect(error).toBeInstanceOf(NomenclatureError);
        }
      }),
    );
  });
});
