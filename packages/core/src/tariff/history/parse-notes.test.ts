import { expect, it } from 'vitest';
import { parseNotes } from './parse-notes.ts';

const codesOf = (text: string) =>
  Object.fromEntries(parseNotes(text).map(({ name, codes }) => [name, codes.join(' ')]));

it('parses codes in tables, and ignores codes in sentences and in chapters 98 and 99', () => {
  const text = [
    '16. (a) Except as provided in heading 9903.82.01, entries of 2025 under subheading 7308.20.00 are free.',
    '(b) The list, but for those of note 20. It has',
    '7308.90 of its own:',
    '7601    7616.99.5160',
    '9802.00.60    7605',
    'Articles of other chapters: 7306.30.10',
    '(c) What is declared beside them:',
    '9802.00.60',
  ].join('\n');
  expect(codesOf(text)).toEqual({ '16(b)': '7601 7616995160 7605' });
});

it('skips page headers and continues a table at the top of the next page', () => {
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

it('parses subchapter III, stopping at the next subchapter or the table of headings', () => {
  const notes = ['99 - III - 10', '16. (a) The list:', '7601', 'Those on page 99 - IV - 2 of this chapter:', '7602'];
  const before = ['99 - I - 1', '1. (a) Some:', '9701', 'Heading/   Article Description', 'See 99 - III - 10, and:'];
  for (const end of ['99 - IV - 12', 'Heading/   Article Description   Rates']) {
    const text = [...before, '17. (a) Others:', '9702', ...notes, end, '7603'].join('\n');
    expect(codesOf(text)).toEqual({ '16(a)': '7601 7602' });
  }
  expect(codesOf(notes.join('\r\n'))).toEqual({ '16(a)': '7601 7602' });
});

it('parses a note number on a separate line and two labels on one line', () => {
  expect(codesOf('16.\n(c)(i) First:\n7601')).toEqual({ '16(c)(i)': '7601' });
});

it('parses Roman numerals up to (xvi)', () => {
  const numerals = 'i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi'.split(' ');
  const text = numerals.map((numeral, at) => `(${numeral}) Some:\n${7201 + at}`).join('\n');
  expect(codesOf(`16. (c) Lists.\n${text}`)).toEqual(
    Object.fromEntries(numerals.map((numeral, at) => [`16(c)(${numeral})`, `${7201 + at}`])),
  );
});

it('parses a note without subdivisions', () => {
  expect(codesOf('5. The list:\n7601\n(i) A numeral under no letter:\n7602\n(ii) Another:\n7603')).toEqual({
    '5': '7601 7602 7603',
  });
});

it('parses nested labels with numbers and capital letters', () => {
  const text =
    '19. (c) Lists.\n(1) First:\n7601\n(A) Part of it:\n7602\n(B) Part of it:\n7603\n(2) Second:\n7604\n(12) Twelfth:\n7605\n(d) Next:\n7606';
  expect(codesOf(text)).toEqual({
    '19(c)(1)': '7601',
    '19(c)(1)(A)': '7602',
    '19(c)(1)(B)': '7603',
    '19(c)(2)': '7604',
    '19(c)(12)': '7605',
    '19(d)': '7606',
  });
});

it('parses the double-letter labels that follow (z)', () => {
  expect(codesOf('20. (z) First:\n7601\n(aa) Second:\n7602\n(bb) Third:\n7603')).toEqual({
    '20(z)': '7601',
    '20(aa)': '7602',
    '20(bb)': '7603',
  });
});

it.each([
  '(b) articles named above',
  '(d) articles',
  '(iv) articles',
  '(x) articles',
  '(kg) by weight',
  '(100) pieces',
  'articles of (3)',
])('continues the current subdivision if a line starts with %s', line => {
  const text = `33. (d) Parts:\n7601\n(2) Some:\n7602\n${line}\n7603`;
  expect(codesOf(text)).toEqual({ '33(d)': '7601', '33(d)(2)': '7602 7603' });
});

it('distinguishes the letter (i) from the numeral (i)', () => {
  const text = [
    '38. (h) Some articles:\n(i) the first,\nnot those of (j):\n8401\n(ii) the second:\n8402',
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

it("doesn't start a subdivision on a line that starts with a reference", () => {
  const text = '33. (f) Parts enumerated in subdivision\n(g) of this note.\n(1) Some:\n8401\n(g) The list:\n8402';
  expect(codesOf(text.replace('33. (f)', '33. (e) None.\n(f)'))).toEqual({ '33(f)(1)': '8401', '33(g)': '8402' });
});

it('marks a subdivision as mixed with the previous one if the later subdivision’s title is on the same line as a table', () => {
  const text =
    '16. (c) Lists.\n(i) First:\n7206\n7301.20.10\n(ii) Second:        7307.22.50    7307.23.00\n7216.91.0010\n(iii) 7318\n7320';
  expect(parseNotes(text).map(({ name, mixedWithPrevious }) => [name, mixedWithPrevious])).toEqual([
    ['16(c)(i)', false],
    ['16(c)(ii)', true],
    ['16(c)(iii)', false],
  ]);
});

it('parses long text in one pass, even if it has no line breaks or contains only labels', () => {
  expect(parseNotes(`16. (a) All:\n${'7601 '.repeat(200_000)}`)[0]!.codes).toHaveLength(200_000);
  const labels = parseNotes(`16. (a) All:\n${'(i) x\n(1) (2)\n'.repeat(60_000)}7601`);
  expect(labels.map(({ name }) => name)).toEqual(['16(a)(i)(2)']);
});
