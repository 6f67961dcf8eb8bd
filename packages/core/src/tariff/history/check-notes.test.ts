import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DATASET } from '../dataset/dataset.ts';
import { listingOn, PROVISIONS } from '../dataset/provisions.ts';
import { LookupOptionError } from '../lookup/options.ts';
import { NomenclatureError } from '../nomenclature/nomenclature.ts';
import { checkNotes, isCleanNotes } from './check-notes.ts';

/** Formats a code as in a U.S. note, without a dot before the statistical suffix. */
const asPrinted = (hts: string) => hts.replace(/^(\d{4}\.\d\d\.\d\d)\.(\d\d)$/, '$1$2');

const rows = (codes: readonly string[]) =>
  Array.from(
    { length: Math.ceil(codes.length / 4) },
    (_, at) => `                   ${codes.slice(at * 4, at * 4 + 4).join('    ')}`,
  ).join('\n');

/** Generates the U.S. notes for the lists on a date, with each subdivision's table in HTS order. */
function notesOn(date: string): string {
  const lists = DATASET.lists
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

const bounds = [...new Set(DATASET.lists.flatMap(({ batches }) => batches.map(batch => batch.effective_from)))];

describe('checkNotes', () => {
  it.each(bounds.filter(date => date >= '2026-04-06'))(
    'reports no differences if the text matches the lists on %s',
    date => {
      const check = checkNotes(notesOn(date), date);
      expect(check.compared.filter(({ gained, lost }) => gained.length + lost.length > 0)).toEqual([]);
      expect(check.not_found.every(({ note }) => note.includes('not yet published'))).toBe(true);
    },
  );

  it('reports subdivisions that enumerate codes but belong to neither a list nor a reviewed entry', () => {
    const notes = notesOn('2026-04-23');
    expect(checkNotes(notes, '2026-04-23').unknown).toEqual([]);
    expect(isCleanNotes(checkNotes(notes, '2026-04-23'))).toBe(true);
    const text = `${notes}\n\n44. (a)  Tungsten.\n(b) Articles:\n   8101.10.00    8101.94.00\n`;
    const check = checkNotes(text, '2026-04-23');
    expect(check.unknown).toEqual([{ subdivision: '44(b)', codes: 2 }]);
    expect(isCleanNotes(check)).toBe(false);
  });

  it('doesn’t report subdivisions of other authorities, former lists, or reviewed entries as unknown', () => {
    const text =
      '19. (j) Former list:\n   7610.10.00\n(r) Counterpart:\n   7610.10.00\n20. (b) Section 301:\n   8401.10.00\n';
    expect(checkNotes(text, '2026-04-23').unknown).toEqual([]);
    const reviewed = { editions: [], otherAuthorities: [], differences: [], notes: [] };
    expect(checkNotes(text, '2026-04-23', reviewed).unknown.map(({ subdivision }) => subdivision)).toEqual([
      '19(r)',
      '20(b)',
    ]);
  });

  it('reports the codes that each list gained and lost between two dates', () => {
    const check = checkNotes(notesOn('2026-06-08'), '2026-04-06');
    const of = (list: string) => check.compared.find(({ lists }) => lists.includes(list))!;
    expect(of('steel-16c-vii')).toMatchObject({ subdivisions: ['16(c)(vii)'], listed: 301, printed: 242 });
    expect(of('steel-16c-vii').gained).toEqual(['9403.20.00.75', '9403.20.00.82', '9403.99.90.40']);
    expect(of('steel-16c-vii').lost).toHaveLength(62);
    expect(of('steel-16c-x').gained).toHaveLength(34);
    expect(of('aluminum-16c-vi')).toMatchObject({ gained: ['3701.30.00'] });
  });

  it('reports the lists that are missing from a partial text', () => {
    const part = '38. (c) Buses:\n     8702.10.31    8702.10.61\n     8702.20.31';
    const check = checkNotes(part, '2026-10-01');
    expect(check.compared).toMatchObject([{ lists: ['buses-38c'], listed: 10, printed: 3 }]);
    expect(check.not_found).toContainEqual({ list: 'trucks-38b', note: expect.stringContaining('38(b)') });
  });

  it('compares lists as a group if the text mixes their table columns', () => {
    const text = '38. (b) Trucks:\n8701.21.00\n(c) Buses:\n(1) Some:    8702.10.31    8702.10.61\n8702.20.31';
    const check = checkNotes(text, '2026-10-01');
    expect(check.compared).toMatchObject([
      { subdivisions: ['38(b)', '38(c)(1)'], lists: ['buses-38c', 'trucks-38b'], listed: 35, printed: 4, gained: [] },
    ]);
  });

  it('compares lists as a group if they share one of several tables', () => {
    const text = '43. (c) Aircraft:\n(2) Some:\n8806.22.00\n(3) Parts:    8806.21.00\n8807\n(4) Others:\n8525.89';
    expect(checkNotes(text, '2026-10-01').compared).toMatchObject([
      { subdivisions: ['43(c)(2)', '43(c)(3)', '43(c)(4)'], lists: ['uas-43c2', 'uas-43c3-4'], printed: 4 },
    ]);
  });

  it('compares the first subdivision separately even if its title is on the same line as a table', () => {
    const check = checkNotes('38. (c) Buses:    8702.10.31    8702.10.61', '2026-10-01');
    expect(check.compared).toMatchObject([{ subdivisions: ['38(c)'], lists: ['buses-38c'], printed: 2 }]);
  });

  it('compares a list with every subdivision named in its note and all nested subdivisions', () => {
    const text = '43. (c) Aircraft:\n(3) Parts:\n8806.21.00\n(4) Others:\n8525.89\n(d) None:\n8807';
    const check = checkNotes(text, '2026-10-01');
    expect(check.compared.find(({ lists }) => lists.includes('uas-43c3-4'))!.subdivisions).toEqual([
      '43(c)(3)',
      '43(c)(4)',
    ]);
    const [buses] = checkNotes('38. (c) Buses.\n(1) Some:\n8702.10.31\n(2) Others:\n8702.10.61', '2026-10-01').compared;
    expect(buses).toMatchObject({ subdivisions: ['38(c)(1)', '38(c)(2)'], lists: ['buses-38c'], printed: 2 });
  });

  it('returns added codes in ascending order', () => {
    const [buses] = checkNotes('38. (c) Buses:\n8705.90\n8701.21\n8703', '2026-10-01').compared;
    expect(buses!.gained).toEqual(['8701.21', '8703', '8705.90']);
  });

  it('rejects text without a U.S. note and rejects an invalid date', () => {
    expect(() => checkNotes('Chapter 73\n7301.10.00', '2026-10-01')).toThrow(
      /doesn't contain a U\.S\. note with a list of codes/,
    );
    expect(() => checkNotes('16. (a) Text alone.', '2026-10-01')).toThrow(NomenclatureError);
    expect(() => checkNotes('', '2026-10-01')).toThrow(NomenclatureError);
    expect(() => checkNotes(notesOn('2026-06-08'), '2026-02-30')).toThrow(LookupOptionError);
  });

  it('throws only NomenclatureError for arbitrary text', () => {
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
