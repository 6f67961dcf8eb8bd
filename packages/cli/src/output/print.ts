import { styleText } from 'node:util';
import cliui from 'cliui';

/** Writes a line to standard output. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Returns the terminal width (at least 60 columns), or 110 columns if standard output isn't a terminal. */
function width(): number {
  return Math.max(60, process.stdout.columns ?? 110);
}

/**
 * Formats a table without borders. The last column fills the remaining width, and its text wraps. If a row has only one
 * cell, the cell spans all columns and is indented.
 *
 * @param head column headers, or null to omit the header row
 * @param widths widths of all columns except the last
 */
export function table(head: string[] | null, widths: number[], rows: string[][]): string {
  const ui = cliui({ width: width(), wrap: true });
  for (const row of [...(head ? [head.map(title => styleText('bold', title))] : []), ...rows]) {
    if (row.length === 1 && widths.length > 0) {
      ui.div({ text: row[0]!, padding: [0, 0, 0, 2] });
      continue;
    }
    const gap = { padding: [0, 2, 0, 0] };
    ui.div(
      ...row.map((text, column) => (column < widths.length ? { text, width: widths[column]!, ...gap } : { text })),
    );
  }
  return ui.toString();
}

/**
 * Returns the width of a column that contains the given texts, including the space before the next column. Chinese,
 * Japanese, and Korean characters count as two columns each.
 *
 * @example columnWidth(['Score', '77']) // 7
 */
export const columnWidth = (texts: readonly string[]): number =>
  2 +
  Math.max(...texts.map(text => text.length + (text.match(/[\u3000-\u9fff\uac00-\ud7af\uff00-\uffef]/g)?.length ?? 0)));

/**
 * Wraps text in the last column of a table. Indents all lines except the first by the total width of the other columns.
 */
export function wrapped(text: string, indent: number): string {
  const ui = cliui({ width: width() - indent, wrap: true });
  ui.div({ text });
  return ui.toString().replaceAll('\n', `\n${' '.repeat(indent)}`);
}

/**
 * Makes untrusted text safe for the terminal: replaces control and invisible characters, except line breaks, and
 * truncates the text to `max` characters.
 */
export function sanitizeForTerminal(text: string, max = Number.POSITIVE_INFINITY): string {
  const safe = text.replace(/[^\P{C}\n]/gu, '\u{FFFD}');
  return safe.length > max ? `${safe.slice(0, max - 1)}…` : safe;
}

/** Formats a time (milliseconds since the Unix epoch) as a UTC date, or `null` as a dash. */
export function formatDay(time: number | null): string {
  return time === null ? '–' : new Date(time).toISOString().slice(0, 10);
}

/** Formats a duration in milliseconds as text, such as `40 minutes`, `3 hours`, or `9 days`. */
export function ageText(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / 60_000));
  const [count, unit] =
    minutes < 120
      ? [minutes, 'minute']
      : minutes < 48 * 60
        ? [Math.round(minutes / 60), 'hour']
        : [Math.round(minutes / 1440), 'day'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
