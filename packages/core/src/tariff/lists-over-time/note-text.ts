/** A subdivision of a U.S. note, and the numbers that its text enumerates. */
export interface Subdivision {
  /** `16(c)(vii)` */
  name: string;
  /** Numbers as printed, without dots. */
  codes: string[];
  /**
   * Whether its title stands beside a table: then the columns of two lists are mixed in the text, and which number belongs
   * to this subdivision or to the one before cannot be told.
   */
  mixedWithPrevious: boolean;
}

const NOTE_START = /^(\d{1,2})\.(?:\s|$)/;
const SUBCHAPTER_III = /99 - III - \d+$/;
const SUBCHAPTER_IV_OR_HEADINGS = /99 - IV - \d+$|\bArticle Description\b/;
const ENUMERATOR = /^\(([a-z]{1,5}|[A-Z]|\d{1,2})\)\s*/;
const LETTER = /^\(([a-z]{1,5})\)/;
/** What follows a reference that a line happens to begin with: `(i) of this note`. */
const REFERENCE = /^(?:of|to|or|and|through)\b|^[,;.)–-]/;
const CODE = /^\d{4}(?:\.\d\d(?:\.\d\d(?:\.?\d\d)?)?)?$/;
const ROMAN = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x', 'xi', 'xii', 'xiii', 'xiv', 'xv', 'xvi'];

/**
 * Reads the subdivisions of the U.S. notes to subchapter III that enumerate numbers, out of the text of Chapter 99 as
 * `pdftotext -layout` writes it. Only numbers that stand in a table or a line of their own count: those in sentences are
 * references.
 */
export function readNotes(text: string): Subdivision[] {
  const subdivisions = new Map<string, Subdivision>();
  for (const { number, lines } of notesOf(linesOf(text))) readNote(number, lines, subdivisions);
  return [...subdivisions.values()];
}

/** The lines of the notes, from the first page of subchapter III to the table of its headings. */
function linesOf(text: string): string[] {
  const lines = text.split(/[\n\r\f]/).map(line => line.replace('U.S. Notes (con.)', '').trim());
  const start = lines.findIndex(line => SUBCHAPTER_III.test(line));
  const notes = lines.slice(Math.max(start, 0));
  const end = notes.findIndex(line => SUBCHAPTER_IV_OR_HEADINGS.test(line));
  return notes.slice(0, end === -1 ? undefined : end);
}

/** Notes are numbered upwards; a smaller number at the beginning of a line belongs to a note's own text. */
function notesOf(lines: readonly string[]): { number: number; lines: string[] }[] {
  const notes: { number: number; lines: string[] }[] = [];
  for (const line of lines) {
    const number = Number(NOTE_START.exec(line)?.[1] ?? 0);
    const last = notes.at(-1);
    if (number > (last?.number ?? 0)) notes.push({ number, lines: [line.replace(NOTE_START, '')] });
    else last?.lines.push(line);
  }
  return notes;
}

function readNote(number: number, lines: readonly string[], into: Map<string, Subdivision>): void {
  const next = nextLetters(lines);
  const path: string[] = [];
  lines.forEach((line, at) => {
    let rest = line;
    let titled = false;
    for (let found = ENUMERATOR.exec(rest); found; found = ENUMERATOR.exec(rest)) {
      const after = rest.slice(found[0].length);
      if (REFERENCE.test(after)) break;
      descend(path, found[1]!, next[at]);
      rest = after;
      titled = true;
    }
    const table = titled ? rest.slice(rest.indexOf(':') + 1).trim() : rest;
    const name = `${number}${path.map(label => `(${label})`).join('')}`;
    const codes = numbersOf(table);
    if (codes.length === 0) return;
    const known = into.get(name) ?? { name, codes: [], mixedWithPrevious: false };
    into.set(name, known);
    known.mixedWithPrevious ||= rest.includes(':');
    for (const code of codes) known.codes.push(code);
  });
}

/** The numbers of a line that holds nothing else, without dots and but for those that are declared beside a classification. */
function numbersOf(line: string): string[] {
  const words = line.split(/[\s;,]+/).filter(word => word !== '');
  const codes = words.every(word => CODE.test(word)) ? words.map(word => word.replaceAll('.', '')) : [];
  return codes.filter(code => !/^9[89]/.test(code));
}

/** For each line, the first letter or numeral that begins one behind it. */
function nextLetters(lines: readonly string[]): (string | undefined)[] {
  const next: (string | undefined)[] = [];
  let letter: string | undefined;
  for (let at = lines.length - 1; at >= 0; at--) {
    next[at] = letter;
    letter = LETTER.exec(lines[at]!)?.[1] ?? letter;
  }
  return next;
}

/** Goes to the subdivision of a label: the letter that comes next, or a numeral under the letter. */
function descend(path: string[], label: string, next: string | undefined): void {
  if (!/[a-z]/.test(label)) {
    const alike = /\d/.test(label) ? /\d/ : /[A-Z]/;
    const depth = path.findIndex(step => alike.test(step));
    path.splice(depth === -1 ? path.length : depth, Infinity, label);
    return;
  }
  const numeral = ROMAN.indexOf(label);
  const isNextNumeral = numeral === 0 || (numeral !== -1 && path[1] === ROMAN[numeral - 1]);
  const letter = path[0] ?? '';
  const isNextLetter = order(label) === order(letter) + 1;
  if (path.length > 0 && isNextNumeral && !(isNextLetter && !startsNumerals(numeral, next))) {
    path.splice(1, Infinity, label);
  } else if (isNextLetter || (numeral === -1 && order(label) > order(letter))) {
    path.splice(0, Infinity, label);
  }
}

/** Whether the numerals go on: after `(h)`, `(i)` is a letter unless `(ii)` comes before `(j)`. */
function startsNumerals(numeral: number, next: string | undefined): boolean {
  return next === ROMAN[numeral + 1];
}

/** A number that grows by one along `a … z, aa, bb …`; 0 for what is no letter. */
function order(label: string): number {
  return /^([a-z])\1*$/.test(label) ? label.length * 26 + label.charCodeAt(0) : 0;
}
