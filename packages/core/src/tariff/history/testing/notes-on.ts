import { DATASET } from '../../dataset/dataset.ts';
import { listingOn } from '../../dataset/provisions.ts';
import { PROVISIONS } from '../../dataset/testing/bundled.ts';

/** Formats a code as printed in a U.S. note, without a dot before the statistical suffix. */
const asPrinted = (hts: string) => hts.replace(/^(\d{4}\.\d\d\.\d\d)\.(\d\d)$/, '$1$2');

const rows = (codes: readonly string[]) =>
  Array.from(
    { length: Math.ceil(codes.length / 4) },
    (_, at) => `                   ${codes.slice(at * 4, at * 4 + 4).join('    ')}`,
  ).join('\n');

/** Generates the U.S. note text for the lists in force on a date, with each subdivision's table in HTS order. */
export function notesOn(date: string): string {
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
