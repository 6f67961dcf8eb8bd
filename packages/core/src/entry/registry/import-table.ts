import type { RowProblem } from '../rows/columns.ts';
import { type CsvRecord, type PlainRow, readPlainRows } from '../rows/table.ts';
import type { CodeList } from './codes.ts';
import { REGISTRY_COLUMNS, type RegistryColumn } from './columns.ts';
import { InvalidRegistryRow, importRow, type RegistryImport, type RegistryRow } from './import.ts';

/** A row of a Product Registry CSV file, with the request created from it. */
export interface ImportedRow extends Omit<RegistryImport, 'request'> {
  /** Line number where the row starts. */
  readonly line: number;
  /** The request, or null if the row has problems. */
  readonly request: RegistryImport['request'] | null;
  readonly problems: readonly RowProblem[];
}

/** A column that isn't part of the known CSV format, and the number of rows that have a value in it. */
export interface UnknownColumn {
  readonly column: string;
  readonly rows: number;
}

/** A Product Registry CSV file, with the requests created from its rows. */
export interface ImportedTable {
  readonly rows: readonly ImportedRow[];
  /** Unknown columns that contain values. These values aren't included in any request. */
  readonly unknown_columns: readonly UnknownColumn[];
}

/** Limits for a file from an untrusted source. */
export interface ImportLimits {
  /** Maximum number of rows. */
  readonly maxRows?: number;
  /**
   * Maximum total length of the result rows as JSON, in characters. Each test repeats its laboratory's values, so the
   * result can be much longer than the file.
   */
  readonly maxCharacters?: number;
}

/** The column that every Product Registry CSV file must have. */
const NAME_COLUMN: RegistryColumn = 'Product Name (Model)';

const KNOWN: ReadonlySet<string> = new Set(REGISTRY_COLUMNS);

/**
 * Converts the rows of a Product Registry CSV file to certificate requests in the same way as {@link importRow}. A row
 * that can't be imported doesn't affect other rows. Rows without values are ignored.
 *
 * @throws RangeError if the file isn't valid CSV or has no header row, if it has too many columns, if two columns have
 * the same name, if it exceeds a limit, or if it isn't a Product Registry file. The message is a predicate, such as
 * `has no header row`.
 * @example (await importTable(parser, codes)).rows[0]?.request?.product_info.name // 'Road Bicycle Helmet'
 */
export async function importTable(
  records: AsyncIterable<CsvRecord>,
  codes: CodeList,
  { maxRows = Number.POSITIVE_INFINITY, maxCharacters = Number.POSITIVE_INFINITY }: ImportLimits = {},
): Promise<ImportedTable> {
  const rows: ImportedRow[] = [];
  const unknown = new Map<string, number>();
  let characters = 0;
  for await (const plain of readPlainRows(records, checkColumns)) {
    if (plain.cells.every(isBlank)) continue;
    if (rows.length === maxRows) throw new RangeError(`has more than ${maxRows} rows`);
    for (const [at, column] of plain.columns.entries())
      if (!KNOWN.has(column) && !isBlank(plain.cells[at] ?? '')) unknown.set(column, (unknown.get(column) ?? 0) + 1);
    const row = importedRow(plain, codes);
    if (maxCharacters !== Number.POSITIVE_INFINITY) characters += JSON.stringify(row).length;
    if (characters > maxCharacters)
      throw new RangeError(`results in more than ${maxCharacters} characters of JSON. Split it into smaller files`);
    rows.push(row);
  }
  return { rows, unknown_columns: [...unknown].map(([column, count]) => ({ column, rows: count })) };
}

function importedRow({ line, columns, cells, problem }: PlainRow, codes: CodeList): ImportedRow {
  const rejected = (problems: readonly RowProblem[]) => ({ line, request: null, problems, dropped: [], assumed: [] });
  const missing = columns[cells.length];
  if (missing !== undefined) return rejected([{ column: missing, message: MISSING_CELLS }]);
  if (problem) return rejected([problem]);
  const known = columns.flatMap((column, at) => (KNOWN.has(column) ? [[column, cells[at]!] as const] : []));
  try {
    return { line, problems: [], ...importRow(Object.fromEntries(known) as RegistryRow, codes) };
  } catch (error) {
    if (!(error instanceof InvalidRegistryRow)) throw error;
    return rejected(error.problems);
  }
}

const MISSING_CELLS = 'is missing because the row has fewer cells than the header';

const isBlank = (cell: string) => cell.trim() === '';

function checkColumns(columns: readonly string[]): void {
  if (!columns.includes(NAME_COLUMN)) throw new RangeError(`has no column named ${NAME_COLUMN}`);
}
