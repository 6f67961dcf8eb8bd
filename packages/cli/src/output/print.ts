import { styleText } from 'node:util';
import cliui from 'cliui';

/** Writes to standard output, with a line end. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** The columns of the terminal, or of a page when the output goes elsewhere. */
function width(): number {
  return Math.max(60, process.stdout.columns ?? 110);
}

/**
 * A table without lines, in which the last column takes the room that is left and wraps.
 *
 * @param widths of all columns but the last
 */
export function table(head: string[], widths: number[], rows: string[][]): string {
  const ui = cliui({ width: width(), wrap: true });
  for (const row of [head.map(title => styleText('bold', title)), ...rows]) {
    const gap = { padding: [0, 2, 0, 0] };
    ui.div(
      ...row.map((text, column) => (column < widths.length ? { text, width: widths[column]!, ...gap } : { text })),
    );
  }
  return ui.toString();
}

/** A stranger's text as it can be shown: nothing in it may steer the terminal, and it is cut at `max` characters. */
export function printable(text: string, max = Number.POSITIVE_INFINITY): string {
  const shown = text.replace(/[^\P{C}\n]/gu, '\u{FFFD}');
  return shown.length > max ? `${shown.slice(0, max - 1)}…` : shown;
}

/** The UTC day of a moment (ms since epoch), or a dash for none. */
export function day(time: number | null): string {
  return time === null ? '–' : new Date(time).toISOString().slice(0, 10);
}
