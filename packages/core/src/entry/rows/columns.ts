import type { Issue } from '../request/issues.ts';

/** Name of the column that identifies a row and isn't part of the request. */
export const KEY_COLUMN = 'key';

/** Name of the column that lists attachment filenames, separated by semicolons. */
export const ATTACH_COLUMN = 'attach';

/** Columns that can identify a row, in order of preference. */
export const KEY_COLUMNS = [KEY_COLUMN, 'product_info.sku', 'product_info.gtin', 'product_info.model'] as const;

/** A problem with a row: the affected column and an error message. */
export interface RowProblem {
  readonly column: string;
  readonly message: string;
}

/**
 * Returns a row's problems, which name table columns instead of request fields.
 *
 * @example rowProblems(error.issues, ['product_info.name'])[0]?.column // 'product_info.name'
 */
export const rowProblems = (
  issues: readonly Pick<Issue, 'path' | 'message'>[],
  columns: readonly string[],
): RowProblem[] => issues.map(({ path, message }) => ({ column: columnOf(path, columns), message }));

/** Returns the column for a field, or the field name and `(no column)` if no column provides the field. */
function columnOf(field: string, columns: readonly string[]): string {
  return (
    columns.find(column => column === field || field.startsWith(`${column}.`)) ?? `${field || 'request'} (no column)`
  );
}
