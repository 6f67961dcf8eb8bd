import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EDITION } from '../edition/edition.ts';
import { listingOn, PROVISIONS } from '../edition/provisions.ts';
import { LookupOptionError } from '../lookup/lookup.ts';
import { NomenclatureError } from '../nomenclature/nomenclature.ts';
import { readNotes } from './note-text.ts';
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

  it('refuses a text without a note, and a date that is none', () => {
    expect(() => checkNotes('Chapter 73\n7301.10.00', '2026-10-01')).toThrow(NomenclatureError);
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

describe('reading the text of notes', () => {
  const codesOf = (text: string) =>
    Object.fromEntries(
      readNotes(text)
        .map(({ name, codes }) => [name, codes.join(' ')])
        .filter(([, codes]) => codes),
    );

  it('takes numbers of tables, not those of sentences, and none of chapters 98 and 99', () => {
    const text = [
      '16. (a) Except as provided in heading 9903.82.01, entries of 2025 under subheading 7308.20.00 are free.',
      '(b) The list:',
      '7601    7616.99.5160',
      '9802.00.60    7605',
    ].join('\n');
    expect(codesOf(text)).toEqual({ '16(b)': '7601 7616995160 7605' });
  });

  it('passes over running heads, and reads on where a page begins with a table', () => {
    const text = [
      'XXII\n99 - III - 64',
      '16. (a) The list:',
      '7601',
      'Harmonized Tariff Schedule of the United States Revision 6 (2026)',
      '   Annotated for Statistical Reporting Purposes',
      'XXII\n99 - III - 65',
      'U.S. Notes (con.)      7602    7603',
      'Heading/   Article Description   Rates',
      '7604',
    ].join('\n');
    expect(codesOf(text)).toEqual({ '16(a)': '7601 7602 7603' });
  });

  it('tells the letter (i) from the numeral (i)', () => {
    const text = [
      '38. (h) Some articles:\n(i) the first:\n8401\n(ii) the second:\n8402',
      '39. (a) None.\n(h) Some articles:\n8403\n(i) Others:\n8404\n(j) The rest:\n8405',
    ].join('\n');
    expect(codesOf(text.replace('38. (h)', '38. (a) None.\n(h)'))).toEqual({
      '38(h)(i)': '8401',
      '38(h)(ii)': '8402',
      '39(h)': '8403',
      '39(i)': '8404',
      '39(j)': '8405',
    });
  });

  it('takes a line that begins with a reference for what it is', () => {
    const text = '33. (f) Parts enumerated in subdivision\n(g) of this note.\n(1) Some:\n8401\n(g) The list:\n8402';
    expect(codesOf(text.replace('33. (f)', '33. (e) None.\n(f)'))).toEqual({ '33(f)(1)': '8401', '33(g)': '8402' });
  });

  it('says when a title stands beside a table, so that two lists cannot be told apart', () => {
    const text =
      '16. (c) Lists.\n(i) First:\n7206\n7301.20.10\n(ii) Second:        7307.22.50    7307.23.00\n7216.91.0010';
    expect(readNotes(text).filter(({ mixedWithPrevious }) => mixedWithPrevious)).toMatchObject([{ name: '16(c)(ii)' }]);
  });

  it('reads on in one pass where the text has no lines, or labels alone', () => {
    expect(readNotes(`16. (a) All:\n${'7601 '.repeat(200_000)}`)[0]!.codes).toHaveLength(200_000);
    const labels = readNotes(`16. (a) All:\n${'(i) x\n(1) (2)\n'.repeat(60_000)}`);
    expect(labels.map(({ name }) => name)).toEqual(['16(a)', '16(a)(i)', '16(a)(i)(2)']);
  });
});
