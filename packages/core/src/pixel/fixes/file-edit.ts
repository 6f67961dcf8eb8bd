/** Replacement of consecutive lines. */
export interface LineChange {
  /**
   * Number of the first replaced line in the unedited file, starting at 1. If `before` is empty, the new lines are
   * inserted before this line.
   */
  readonly line: number;
  /** Replaced lines, without line breaks. */
  readonly before: readonly string[];
  /** New lines, without line breaks. */
  readonly after: readonly string[];
}

/** A file edit: non-overlapping changes in file order. */
export type FileEdit = readonly LineChange[];

/** A line and its line break. If a file ends with a line break, its last line is empty and has no line break. */
interface Line {
  readonly text: string;
  readonly end: string;
}

const LINE = /([^\r\n]*)(\r\n|\r|\n|$)/g;

function linesOf(source: string): Line[] {
  const lines: Line[] = [];
  for (const { 1: text = '', 2: end = '', index } of source.matchAll(LINE)) {
    // If the file doesn't end with a line break, the expression also matches the empty string after the last line.
    if (index === source.length && lines.length > 0 && lines.at(-1)!.end === '') break;
    lines.push({ text, end });
  }
  return lines;
}

/**
 * Applies an edit to a file. New lines use the same line break as the lines they replace. All other characters stay the
 * same.
 *
 * @throws RangeError if the file doesn't contain a line that the edit replaces
 * @example applyEdit('a\r\nb\r\n', [{ line: 2, before: ['b'], after: ['c', 'd'] }]) // 'a\r\nc\r\nd\r\n'
 */
export function applyEdit(source: string, edit: FileEdit): string {
  const lines = linesOf(source);
  const fallback = lines.find(({ end }) => end !== '')?.end ?? '\n';
  const result: string[] = [];
  let at = 0;
  for (const { line, before, after } of edit) {
    const from = line - 1;
    const replaced = lines.slice(from, from + before.length);
    if (from < at || before.some((text, i) => replaced[i]?.text !== text))
      throw new RangeError(`The edit doesn't match line ${line} of the file.`);
    for (const { text, end } of lines.slice(at, from)) result.push(text, end);
    const end = (replaced[0] ?? lines[from - 1])?.end || fallback;
    const isLast = replaced.at(-1)?.end === '' && from + before.length === lines.length;
    for (const [i, text] of after.entries()) result.push(text, isLast && i === after.length - 1 ? '' : end);
    at = from + before.length;
  }
  for (const { text, end } of lines.slice(at)) result.push(text, end);
  return result.join('');
}

/** Replacement of the characters from `from` up to, but not including, `to`. */
export interface TextEdit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * Converts character replacements to line replacements.
 *
 * @param source text in which all line breaks are `\n`
 * @param edits replacements in any order
 * @returns the edit, or null if two replacements overlap
 * @example toFileEdit('a\nb\n', [{ from: 0, to: 2, text: '' }]) // [{ line: 1, before: ['a'], after: [] }]
 */
export function toFileEdit(source: string, edits: readonly TextEdit[]): FileEdit | null {
  const changes: LineChange[] = [];
  const sorted = [...edits].sort((a, b) => a.from - b.from || a.to - b.to);
  let line = 1;
  let counted = 0;
  for (let i = 0; i < sorted.length; ) {
    const first = sorted[i]!;
    const start = first.from === 0 ? 0 : source.lastIndexOf('\n', first.from - 1) + 1;
    let text = '';
    let at = start;
    let end = start;
    // Merge replacements on the same line into one change.
    do {
      const { from, to, text: inserted } = sorted[i]!;
      if (from < at) return null;
      text += source.slice(at, from) + inserted;
      at = to;
      // If the change so far covers only whole lines, its range ends at `to`. Otherwise, it includes the rest of the
      // line.
      const isWhole = (text === '' || text.endsWith('\n')) && (to === 0 || source[to - 1] === '\n');
      end = isWhole ? to : lineEndAfter(source, to);
      i++;
    } while (i < sorted.length && (sorted[i]!.from < end || (sorted[i]!.from === end && source[end - 1] !== '\n')));
    text += source.slice(at, end);
    for (let next = source.indexOf('\n', counted); next >= 0 && next < start; next = source.indexOf('\n', counted)) {
      line++;
      counted = next + 1;
    }
    const replaced = source.slice(start, end);
    const isLast = end === source.length && !replaced.endsWith('\n') && replaced !== '';
    const before = linesIn(replaced);
    const after = linesIn(isLast && text !== '' ? `${text}\n` : text);
    changes.push(withoutEqualEnds({ line, before, after }, isLast));
  }
  return changes;
}

/** Returns the offset after the next line break, or the end of the text. */
function lineEndAfter(source: string, offset: number): number {
  const end = source.indexOf('\n', offset);
  return end < 0 ? source.length : end + 1;
}

/**
 * Omits unchanged lines at the start and end of a change. Keeps the last line if the file doesn't end with a line
 * break, so that applying the edit doesn't add one.
 */
function withoutEqualEnds({ line, before, after }: LineChange, isLast: boolean): LineChange {
  const shorter = Math.min(before.length - (isLast ? 1 : 0), after.length - (isLast ? 1 : 0));
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (!isLast && end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return {
    line: line + start,
    before: before.slice(start, before.length - end),
    after: after.slice(start, after.length - end),
  };
}

/** Splits text into lines. */
const linesIn = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));
