import type { BulkFormat } from '@compliance/store';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';

/** An input row: its fields, or null if the row can't be read. */
export type InputRow = Readonly<Record<string, unknown>> | null;

/** A result row. */
export type ResultRow = Readonly<Record<string, unknown>>;

/**
 * Reads a part's rows. Rows from a Parquet file are stored as NDJSON. An NDJSON row can also be a string, which becomes
 * the value of the `main` field.
 *
 * @param header first line of a CSV file, with the column names
 */
export function readRows(format: BulkFormat, header: string, text: string, main: string): InputRow[] {
  const lines = text.split('\n');
  if (format !== 'csv') return lines.map(line => objectOf(line, main));
  const columns = cellsOf(header)?.map(name => name.replace('\ufeff', '').trim().toLowerCase()) ?? [];
  const cells = lines.map(cellsOf);
  return cells.map(row => row && Object.fromEntries(columns.map((column, index) => [column, row[index] ?? ''])));
}

function objectOf(line: string, main: string): InputRow {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'string') return { [main]: value };
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as InputRow) : null;
  } catch {
    return null;
  }
}

/** Parses a line of CSV. A line without quotation marks is split at commas, which is much faster than parsing it. */
function cellsOf(line: string): string[] | null {
  if (!line.includes('"')) return line.split(',').map(cell => cell.trim());
  try {
    return (parse(line, { trim: true, relax_column_count: true }) as string[][])[0] ?? null;
  } catch {
    return null;
  }
}

/** Writes a line of CSV. Cells that a spreadsheet would evaluate as formulas are prefixed with an apostrophe. */
export function csvLine(cells: readonly unknown[]): string {
  const texts = cells.map(cell => (cell === null || cell === undefined ? '' : `${cell}`));
  if (!texts.some(text => SPECIAL.test(text))) return `${texts.join(',')}\n`;
  return stringify([texts], { escape_formulas: true });
}

/** Matches a cell that needs quotation marks or a prefix. */
const SPECIAL = /[",\r\n]|^[-=+@\t＝＋－＠]/;

/** Serializes result rows. Rows of a Parquet result are stored as NDJSON until they're downloaded. */
export function writeResultRows(format: BulkFormat, columns: readonly string[], rows: readonly ResultRow[]): string {
  if (format !== 'csv') return rows.map(row => `${JSON.stringify(row)}\n`).join('');
  return rows.map(row => csvLine(columns.map(column => row[column]))).join('');
}
