import { containsPersonalData } from '../scan/redact.ts';
import type { FileEdit } from './file-edit.ts';

/** A diff line. Line numbers start at 1 and are null if the line isn't in that version of the file. */
export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
  readonly before: number | null;
  readonly after: number | null;
}

/** Consecutive diff lines. */
export type DiffHunk = readonly DiffLine[];

/** Maximum length of an unchanged line in a diff, in characters. */
const MAX_CONTEXT = 300;

/**
 * Returns an edit as a diff. The diff shows the exact changed lines and the unchanged lines around them, but omits
 * unchanged lines that are long or contain personal data.
 *
 * @param source unedited file
 * @param context number of unchanged lines before and after each change
 * @example
 * diffOf('a\nb\n', [{ line: 2, before: ['b'], after: ['c'] }])[0]?.map(({ kind }) => kind)
 * // ['same', 'removed', 'added']
 */
export function diffOf(source: string, edit: FileEdit, context = 3): readonly DiffHunk[] {
  const lines = source.split(/\r\n|\r|\n/);
  // The empty string after the last line break isn't a line.
  if (lines.at(-1) === '') lines.pop();
  const hunks: DiffLine[][] = [];
  /** Number of lines from the start of the file to the end of the last hunk. */
  let shown = 0;
  /** Number of lines added by the changes so far, minus the number of lines removed. */
  let shift = 0;
  const isShown = (text: string) => text.length <= MAX_CONTEXT && !containsPersonalData(text);
  const same = (i: number): DiffLine => ({ kind: 'same', text: lines[i]!, before: i + 1, after: i + 1 + shift });
  for (const [n, { line, before, after }] of edit.entries()) {
    const start = line - 1;
    let from = start;
    while (from > shown && start - from < context && isShown(lines[from - 1]!)) from--;
    if (hunks.length === 0 || from > shown) hunks.push([]);
    const hunk = hunks.at(-1)!;
    for (let i = from; i < start; i++) hunk.push(same(i));
    for (const [i, text] of before.entries()) hunk.push({ kind: 'removed', text, before: line + i, after: null });
    for (const [i, text] of after.entries()) hunk.push({ kind: 'added', text, before: null, after: line + shift + i });
    shift += after.length - before.length;
    shown = start + before.length;
    const next = (edit[n + 1]?.line ?? lines.length + 1) - 1;
    const end = Math.min(shown + context, next);
    while (shown < end && isShown(lines[shown]!)) hunk.push(same(shown++));
  }
  return hunks;
}
