import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { KEY_COLUMNS, type RowProblem } from './columns.ts';

/** A CSV record and the number of lines read so far, as returned by `csv-parse` with the `info` option. */
export interface CsvRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** A row in a certificate table, or the reason why the row can't be identified. */
export type TableRow = {
  /** Line number where the row starts. */
  readonly line: number;
  readonly columns: readonly string[];
} & (
  | {
      /** Name of the column that identifies the rows. */
      readonly keyColumn: string;
      /** Value that identifies the row, such as the SKU. */
      readonly key: string;
      /** Filename for the row's certificate, unique within the table. */
      readonly file: string;
      readonly cells: readonly string[];
    }
  | { readonly problem: RowProblem }
);

/** A row in a table, or the reason why the row's cells can't be assigned to columns. */
export interface PlainRow {
  /** Line number where the row starts. */
  readonly line: number;
  readonly columns: readonly string[];
  readonly cells: readonly string[];
  readonly problem: RowProblem | null;
}

/**
 * Reads a table that has a header row. Empty lines are ignored.
 *
 * @param checkColumns a function that throws a RangeError if the table lacks a required column
 * @throws RangeError if the table isn't valid CSV or has no header row, if it has too many columns, or if two columns
 * have the same name. The message is a predicate, such as `has no header row`.
 * @example for await (const { line, cells } of readPlainRows(parser, () => {})) console.log(line, cells);
 */
export async function* readPlainRows(
  records: AsyncIterable<CsvRecord>,
  checkColumns: (columns: readonly string[]) => void,
): AsyncGenerator<PlainRow, void> {
  let columns: readonly string[] | null = null;
  let line = 1;
  for await (const { record: cells, info } of readable(records)) {
    if (columns === null) {
      columns = columnsOf(cells);
      checkColumns(columns);
    } else if (cells.length > 1 || cells[0] !== '') {
      const hasExtra = cells.slice(columns.length).some(cell => cell.trim() !== '');
      yield { line, columns, cells, problem: hasExtra ? { column: columns.at(-1)!, message: EXTRA_CELLS } : null };
    }
    line = info.lines + 1;
  }
  if (columns === null) throw new RangeError('has no header row');
}

/**
 * Reads a table that has a header row followed by one certificate per row. Empty lines are ignored.
 *
 * @throws RangeError in the same cases as {@link readPlainRows}, or if no column identifies the rows
 * @example for await (const row of readTable(parser)) console.log(row.line);
 */
export async function* readTable(records: AsyncIterable<CsvRecord>): AsyncGenerator<TableRow, void> {
  let keyColumn = '';
  const lines = new Map<string, number>();
  for await (const { line, columns, cells, problem } of readPlainRows(records, names => {
    keyColumn = keyColumnOf(names);
  })) {
    const row = { line, columns };
    const key = cells[columns.indexOf(keyColumn)]?.trim() ?? '';
    const file = certificateFilename(key);
    const earlier = lines.get(file.toLowerCase());
    const keyProblem = (message: string) => ({ ...row, problem: { column: keyColumn, message } });
    if (key === '') yield keyProblem('is empty, so the row can’t be identified');
    else if (earlier !== undefined) yield keyProblem(`results in the same filename as line ${earlier}`);
    else if (problem) yield { ...row, problem };
    else {
      lines.set(file.toLowerCase(), line);
      yield { ...row, keyColumn, key, file, cells };
    }
  }
}

/** Yields the records. @throws RangeError for a syntax error, with the parser's message */
async function* readable(records: AsyncIterable<CsvRecord>): AsyncGenerator<CsvRecord, void> {
  try {
    yield* records;
  } catch (error) {
    const isSyntax = error instanceof Error && 'code' in error && `${error.code}`.startsWith('CSV_');
    throw isSyntax ? new RangeError(`can’t be read: ${error.message.replace(/\.$/, '')}`) : error;
  }
}

const EXTRA_CELLS =
  'is followed by an extra value that doesn’t belong to any column. If a value contains commas, enclose it in quotation marks';

/** Maximum number of columns and maximum length of a column name. Each row's errors can repeat the name. */
const MAX_COLUMNS = 1_000;
const MAX_NAME = 200;

/** Returns the columns in a header row. @throws RangeError */
function columnsOf(header: readonly string[]): readonly string[] {
  const columns = header.map(cell => cell.trim());
  if (columns.length > MAX_COLUMNS) throw new RangeError(`has more than ${MAX_COLUMNS} columns`);
  if (columns.some(({ length }) => length > MAX_NAME))
    throw new RangeError(`has a column whose name is longer than ${MAX_NAME} characters`);
  const repeated = columns.find((column, at) => columns.indexOf(column) !== at);
  if (repeated !== undefined) throw new RangeError(`has two columns named ${repeated || '(empty)'}`);
  return columns;
}

/** Returns the column that identifies the rows. @throws RangeError */
function keyColumnOf(columns: readonly string[]): string {
  const keyColumn = KEY_COLUMNS.find(column => columns.includes(column));
  if (keyColumn === undefined)
    throw new RangeError(`needs one of these columns to identify its rows: ${KEY_COLUMNS.join(', ')}`);
  return keyColumn;
}

/**
 * Returns the certificate filename for a row's key. If the key can't be used unchanged, the filename includes a hash.
 *
 * @example certificateFilename('S-1') // 'S-1.pdf'
 */
export function certificateFilename(key: string): string {
  const plain = key.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 80);
  if (plain === key) return `${key}.pdf`;
  return `${plain}-${bytesToHex(sha256(utf8ToBytes(key))).slice(0, 8)}.pdf`;
}
