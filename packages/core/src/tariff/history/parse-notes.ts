/** A subdivision of a U.S. note and the codes it enumerates. */
export interface Subdivision {
  /** Subdivision name, such as `16(c)(vii)`. */
  name: string;
  /** Printed codes, without dots. */
  codes: string[];
  /**
   * Whether the subdivision's title is on the same line as a table. If so, the extracted text mixes the columns of two
   * lists, and each code might belong to either this subdivision or the previous one.
   */
  mixedWithPrevious: boolean;
  /**
   * Text after the subdivision's label, up to the first colon or the end of the line, such as
   * `Derivative steel articles`. Empty if no text follows the label.
   */
  title: string;
  /** Page of the label, such as `99 - III - 65`, or null if the text doesn't contain page numbers. */
  page: string | null;
}

const NOTE_START = /^(\d{1,2})\.(?:\s|$)/;
const SUBCHAPTER_III = /99 - III - \d+$/;
const SUBCHAPTER_IV_OR_HEADINGS = /99 - IV - \d+$|\bArticle Description\b/;
const ENUMERATOR = /^\(([a-z]{1,5}|[A-Z]|\d{1,2})\)\s*/;
const LETTER = /^\(([a-z]{1,5})\)/;
/**
 * Matches the text that follows a label if the label is part of a reference, such as `(i) of this note`, and doesn't
 * start a subdivision.
 */
const REFERENCE = /^(?:of|to|or|and|through)\b|^[,;.)–-]/;
const CODE = /^\d{4}(?:\.\d\d(?:\.\d\d(?:\.?\d\d)?)?)?$/;
const ROMAN = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x', 'xi', 'xii', 'xiii', 'xiv', 'xv', 'xvi'];

/**
 * Parses the subdivisions that enumerate codes in the U.S. notes to subchapter III. The input is Chapter 99 text
 * extracted with `pdftotext -layout`. Only codes in a table or on a separate line count, because codes in sentences are
 * references.
 */
export function parseNotes(text: string): Subdivision[] {
  const subdivisions = new Map<string, Subdivision>();
  for (const { number, lines } of notesOf(linesOf(text))) parseNote(number, lines, subdivisions);
  return [...subdivisions.values()];
}

/** A line of the U.S. notes with its page. */
interface NoteLine {
  readonly text: string;
  readonly page: string | null;
}

/** Returns the lines of the U.S. notes, from the first page of subchapter III to the table of headings. */
function linesOf(text: string): NoteLine[] {
  const lines = text.split(/[\n\r\f]/).map(line => line.replace('U.S. Notes (con.)', '').trim());
  const start = lines.findIndex(line => SUBCHAPTER_III.test(line));
  const notes = lines.slice(Math.max(start, 0));
  const end = notes.findIndex(line => SUBCHAPTER_IV_OR_HEADINGS.test(line));
  let page: string | null = null;
  return notes.slice(0, end === -1 ? undefined : end).map(line => {
    page = SUBCHAPTER_III.exec(line)?.[0] ?? page;
    return { text: line, page };
  });
}

/**
 * Splits the lines into notes. Note numbers increase, so a line that starts with the same number or a lower one belongs
 * to the current note.
 */
function notesOf(lines: readonly NoteLine[]): { number: number; lines: NoteLine[] }[] {
  const notes: { number: number; lines: NoteLine[] }[] = [];
  for (const line of lines) {
    const number = Number(NOTE_START.exec(line.text)?.[1] ?? 0);
    const last = notes.at(-1);
    if (number > (last?.number ?? 0)) {
      notes.push({ number, lines: [{ ...line, text: line.text.replace(NOTE_START, '') }] });
    } else last?.lines.push(line);
  }
  return notes;
}

function parseNote(number: number, lines: readonly NoteLine[], into: Map<string, Subdivision>): void {
  const next = nextLetters(lines.map(({ text }) => text));
  const path: string[] = [];
  let title = '';
  let labelPage: string | null = null;
  lines.forEach(({ text, page }, at) => {
    let rest = text;
    let titled = false;
    for (let found = ENUMERATOR.exec(rest); found; found = ENUMERATOR.exec(rest)) {
      const after = rest.slice(found[0].length);
      if (REFERENCE.test(after)) break;
      enterSubdivision(path, found[1]!, next[at]);
      rest = after;
      titled = true;
    }
    if (titled) {
      title = rest.split(':')[0]!.replace(/\s+/g, ' ').trim();
      labelPage = page;
    }
    const table = titled ? rest.slice(rest.indexOf(':') + 1).trim() : rest;
    const name = `${number}${path.map(label => `(${label})`).join('')}`;
    const codes = codesOf(table);
    if (codes.length === 0) return;
    const known = into.get(name) ?? { name, codes: [], mixedWithPrevious: false, title, page: labelPage };
    into.set(name, known);
    known.mixedWithPrevious ||= rest.includes(':');
    for (const code of codes) known.codes.push(code);
  });
}

/**
 * Returns the codes on a line, with the dots removed, or an empty array if the line contains anything else. Omits codes
 * in chapters 98 and 99.
 */
function codesOf(line: string): string[] {
  const words = line.split(/[\s;,]+/).filter(word => word !== '');
  const codes = words.every(word => CODE.test(word)) ? words.map(word => word.replaceAll('.', '')) : [];
  return codes.filter(code => !/^9[89]/.test(code));
}

/** Returns, for each line, the letter or numeral of the next labeled line, or undefined if there isn't one. */
function nextLetters(lines: readonly string[]): (string | undefined)[] {
  const next: (string | undefined)[] = [];
  let letter: string | undefined;
  for (let at = lines.length - 1; at >= 0; at--) {
    next[at] = letter;
    letter = LETTER.exec(lines[at]!)?.[1] ?? letter;
  }
  return next;
}

/**
 * Adds a label to the label path, replacing any labels at the same or a deeper level. Ignores lowercase labels that are
 * out of sequence.
 */
function enterSubdivision(path: string[], label: string, next: string | undefined): void {
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

/**
 * Returns whether a label starts a series of numerals. For example, `(i)` after `(h)` is a letter unless the next label
 * is `(ii)`.
 */
function startsNumerals(numeral: number, next: string | undefined): boolean {
  return next === ROMAN[numeral + 1];
}

/**
 * Returns a number that increases by one with each label in the sequence `a … z, aa, bb …`. Returns 0 if the label
 * isn't in the sequence.
 */
function order(label: string): number {
  return /^([a-z])\1*$/.test(label) ? label.length * 26 + label.charCodeAt(0) : 0;
}
