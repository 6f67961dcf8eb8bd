import { createReadStream } from 'node:fs';
import { type CodeList, type ImportedRow, importTable } from '@compliance/core/entry';
import { parse } from 'csv-parse';
import { CliError, fileError } from '../cli-error.ts';

/** Certificate requests created from the rows of a Product Registry CSV file. */
export interface RegistryRequests {
  /** A request for each row, in order. */
  readonly requests: readonly object[];
  /** Messages about values that aren't in the requests, and about fields whose values were assumed. */
  readonly notes: readonly string[];
}

/**
 * Reads a Product Registry CSV file and converts its rows to certificate requests.
 *
 * @throws CliError if the file can't be read, if it isn't a Product Registry file, or if rows contain invalid values
 */
export async function readRegistryRows(file: string, codes: CodeList): Promise<RegistryRequests> {
  const content = createReadStream(file, 'utf8');
  const parser = parse({ bom: true, info: true, relax_column_count: true });
  content.on('error', error => parser.destroy(error));
  const { rows, unknown_columns } = await importTable(content.pipe(parser), codes).catch(error => {
    if (error instanceof RangeError) throw new CliError(`${file} ${error.message}.`, 2);
    throw fileError(`Can't read ${file}`, error);
  });
  const at = ({ line }: ImportedRow) => `${file}, line ${line}`;
  const bad = rows.flatMap(row => row.problems.map(({ column, message }) => `${at(row)}: ${column}: ${message}`));
  if (bad.length > 0) throw new CliError(bad.join('\n'), 2);
  const dropped = rows.flatMap(row =>
    row.dropped.map(({ column, value, reason }) => `${at(row)}, ${column}: “${value}” ${reason}.`),
  );
  const unknown = unknown_columns.map(
    each =>
      `${file}, ${each.column}: unknown column, so its values aren't included in the requests (rows with a value: ${each.rows}).`,
  );
  const assumed = rows.flatMap(row => row.assumed.map(({ path, message }) => `Assumed: ${path} ${message}.`));
  return {
    requests: rows.flatMap(({ request }) => request ?? []),
    notes: [...dropped, ...unknown, ...new Set(assumed)],
  };
}
