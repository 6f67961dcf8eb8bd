import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DATASET } from '../dataset/dataset.ts';
import { LookupOptionError } from '../lookup/options.ts';
import { NomenclatureError } from '../nomenclature/nomenclature.ts';
import { checkNotes, isCleanNotes } from './check-notes.ts';
import { notesOn } from './testing/notes-on.ts';

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

  it('doesn’t report subdivisions for other authorities, subdivisions with former lists, or reviewed entries as unknown', () => {
    const text =
      '19. (j) Former list:\n   7610.10.00\n(r) Counterpart:\n   7610.10.00\n20. (b) Section 301:\n   8401.10.00\n';
    expect(checkNotes(text, '2026-04-23').unknown).toEqual([]);
    const reviewed = { editions: [], otherAuthorities: [], differences: [], notes: [] };
    expect(checkNotes(text, '2026-04-23', DATASET, reviewed).unknown.map(({ subdivision }) => subdivision)).toEqual([
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

  it('rejects text without a U.S. note that enumerates codes, and rejects an invalid date', () => {
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
