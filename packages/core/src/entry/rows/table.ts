import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { KEY_COLUMNS, type RowProblem } from './columns.ts';

/** A record of a CSV file, and the number of lines read so far, as returned by `csv-parse` with the option `info`. */
export interface CsvRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** A row of a table of certificates, or the reason why it can't be identified. */
export type TableRow = {
  /** Number of the line on which the row starts. */
  readonly line: number;
  readonly columns: readonly string[];
} & (
  | {
      /** Value that identifies the row, such as the SKU. */
      readonly key: string;
      /** Filename for the row's certificate, which no other row of the table has. */
      readonly file: string;
      readonly cells: readonly string[];
    }
  | { readonly problem: RowProblem }
);

/**
 * Reads a table that has a header row and a certificate in each other row. Empty lines are ignored.
 *
 * @throws RangeError if the table isn't valid CSV or has no header row, if it has too many columns, if two columns have the
 * same name, or if no column identifies the rows. The message is a predicate, such as `has no header row`.
 * @example for await (const row of readTable(parser)) console.log(row.line);
 */
export async function* readTable(records: AsyncIterable<CsvRecord>): AsyncGenerator<TableRow, void> {
  let columns: readonly string[] | null = null;
  let keyColumn = '';
  let line = 1;
  const lines = new Map<string, number>();
  for await (const { record: cells, info } of readable(records)) {
    const isEmpty = cells.length === 1 && cells[0] === '';
    if (columns === null) {
      columns = cells.map(cell => cell.trim());
      keyColumn = keyColumnOf(columns);
    } else if (!isEmpty) {
      const row = { line, columns };
      const key = cells[columns.indexOf(keyColumn)]?.trim() ?? '';
      const file = certificateFilename(key);
      const earlier = lines.get(file.toLowerCase());
      const problem = (message: string, column = keyColumn) => ({ ...row, problem: { column, message } });
      if (key === '') yield problem('is empty, so the row can’t be identified');
      else if (earlier !== undefined) yield problem(`results in the same filename as line ${earlier}`);
      else if (cells.slice(columns.length).some(cell => cell.trim() !== '')) yield problem(EXTRA_CELLS, columns.at(-1));
      else {
        lines.set(file.toLowerCase(), line);
        yield { ...row, key, file, cells };
      }
    }
    line = info.lines + 1;
  }
  if (columns === null) throw new RangeError('has no header row');
}

/** Returns the records. @throws RangeError instead of a syntax error, whose message contains the line */
async function* readable(records: AsyncIterable<CsvRecord>): AsyncGenerator<CsvRecord, void> {
  try {
    yield* records;
  } catch (error) {
    const isSyntax = error instanceof Error && 'code' in error && `${error.code}`.startsWith('CSV_');
    throw isSyntax ? new RangeError(`can’t be read: ${error.message.replace(/\.$/, '')}`) : error;
  }
}

const EXTRA_CELLS =
  'is followed by a value that has no column. If a value contains commas, enclose it in quotation marks';

/** Maximum number of columns, and maximum length of a column's name, because errors in each row repeat the names. */
const MAX_COLUMNS = 1_000;
const MAX_NAME = 200;

/** Returns the column that identifies the rows. @throws RangeError */
function keyColumnOf(columns: readonly string[]): string {
  if (columns.length > MAX_COLUMNS) throw new RangeError(`has more than ${MAX_COLUMNS} columns`);
  if (columns.some(({ length }) => length > MAX_NAME))
    throw new RangeError(`has a column whose name is longer than ${MAX_NAME} characters`);
  const repeated = columns.find((column, at) => columns.indexOf(column) !== at);
  if (repeated !== undefined) throw new RangeError(`has two columns named ${repeated || '(empty)'}`);
  const keyColumn = KEY_COLUMNS.find(column => columns.includes(column));
  if (keyColumn === undefined)
    throw new RangeError(`needs one of these columns to identify its rows: ${KEY_COLUMNS.join(', ')}`);
  return keyColumn;
}

/**
 * Returns the filename of the certificate for a row's key. If the key can't be used unchanged, the filename includes a hash.
 *
 * @example certificateFilename('S-1') // 'S-1.pdf'
 */
export function certificateFilename(key: string): string {
  const plain = key.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 80);
  if (plain === key) return `${key}.pdf`;
  return `${plain}-${bytesToHex(sha256(utf8ToBytes(key))).slice(0, 8)}.pdf`;
}
