import type { RowProblem } from '../rows/columns.ts';
import { type CsvRecord, readRows } from '../rows/table.ts';
import type { CodeList } from './codes.ts';
import type { RegistryColumn } from './columns.ts';
import { InvalidRegistryValue, importRow, type RegistryImport } from './import.ts';

/** A row of a Product Registry CSV file: the request created from it, or the reason why it can't be imported. */
export type ImportedRow = {
  /** Number of the line on which the row starts. */
  readonly line: number;
} & (RegistryImport | { readonly problem: RowProblem });

/** The column that every row of a Product Registry CSV file needs. */
const NAME_COLUMN: RegistryColumn = 'Product Name (Model)';

/**
 * Converts the rows of a Product Registry CSV file to certificate requests, as {@link importRow} does. A row that can't be
 * imported doesn't affect other rows.
 *
 * @throws RangeError if the file isn't valid CSV or has no header row, if it has too many columns, if two columns have the
 * same name, or if it isn't a Product Registry file. The message is a predicate, such as `has no header row`.
 * @example for await (const row of importTable(parser, codes)) if ('request' in row) console.log(row.request);
 */
export async function* importTable(
  records: AsyncIterable<CsvRecord>,
  codes: CodeList,
): AsyncGenerator<ImportedRow, void> {
  for await (const { line, columns, cells, problem } of readRows(records, checkColumns)) {
    if (problem) {
      yield { line, problem };
      continue;
    }
    const row = Object.fromEntries(columns.map((column, at) => [column, cells[at]]));
    try {
      yield { line, ...importRow(row, codes) };
    } catch (error) {
      if (!(error instanceof InvalidRegistryValue)) throw error;
      yield { line, problem: { column: error.column, message: error.reason } };
    }
  }
}

function checkColumns(columns: readonly string[]): void {
  if (!columns.includes(NAME_COLUMN)) throw new RangeError(`has no column named ${NAME_COLUMN}`);
}
