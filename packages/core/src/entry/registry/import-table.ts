import type { RowProblem } from '../rows/columns.ts';
import { type CsvRecord, type PlainRow, readPlainRows } from '../rows/table.ts';
import type { CodeList } from './codes.ts';
import type { RegistryColumn } from './columns.ts';
import { type ImportedRequest, InvalidRegistryValue, importRow, type RegistryImport } from './import.ts';

/** A row of a Product Registry CSV file, with the request created from it. */
export interface ImportedRow extends Pick<RegistryImport, 'dropped' | 'assumed'> {
  /** Number of the line on which the row starts. */
  readonly line: number;
  /** The request, or null if the row has problems. */
  readonly request: ImportedRequest | null;
  readonly problems: readonly RowProblem[];
}

/** The column that every row of a Product Registry CSV file needs. */
const NAME_COLUMN: RegistryColumn = 'Product Name (Model)';

/**
 * Converts the rows of a Product Registry CSV file to certificate requests, as {@link importRow} does. A row that can't
 * be imported doesn't affect other rows.
 *
 * @throws RangeError if the file isn't valid CSV or has no header row, if it has too many columns, if two columns have
 * the same name, if it has more rows than allowed, or if it isn't a Product Registry file. The message is a predicate,
 * such as `has no header row`.
 * @example for await (const { line, request } of importTable(parser, codes)) console.log(line, request);
 */
export async function* importTable(
  records: AsyncIterable<CsvRecord>,
  codes: CodeList,
  { maxRows = Number.POSITIVE_INFINITY }: { readonly maxRows?: number } = {},
): AsyncGenerator<ImportedRow, void> {
  let count = 0;
  for await (const row of readPlainRows(records, checkColumns)) {
    if (++count > maxRows) throw new RangeError(`has more than ${maxRows} rows`);
    yield importedRow(row, codes);
  }
}

function importedRow({ line, columns, cells, problem }: PlainRow, codes: CodeList): ImportedRow {
  const rejected = (rejection: RowProblem) => ({
    ...{ line, request: null, problems: [rejection], dropped: [], assumed: [] },
  });
  if (problem) return rejected(problem);
  const row = Object.fromEntries(columns.map((column, at) => [column, cells[at]]));
  try {
    return { line, problems: [], ...importRow(row, codes) };
  } catch (error) {
    if (!(error instanceof InvalidRegistryValue)) throw error;
    return rejected({ column: error.column, message: error.reason });
  }
}

function checkColumns(columns: readonly string[]): void {
  if (!columns.includes(NAME_COLUMN)) throw new RangeError(`has no column named ${NAME_COLUMN}`);
}
