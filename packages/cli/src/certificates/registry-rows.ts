import { createReadStream } from 'node:fs';
import { type CodeList, importTable } from '@compliance/core/entry';
import { parse } from 'csv-parse';
import { CliError, fileError } from '../cli-error.ts';

/** The certificate requests for the rows of a Product Registry CSV file. */
export interface RegistryRequests {
  /** A request for each row, in order. */
  readonly requests: readonly object[];
  /** The values that aren't in a request or were assumed, each with its line. */
  readonly notes: readonly string[];
}

/**
 * Reads a Product Registry CSV file and converts its rows to certificate requests.
 *
 * @throws CliError if the file can't be read, if it isn't a Product Registry file, or if rows contain invalid values
 */
export async function readRegistryRows(file: string, codes: CodeList): Promise<RegistryRequests> {
  const assumptions = new Set<string>();
  const notes: string[] = [];
  const bad: string[] = [];
  const requests: object[] = [];
  const content = createReadStream(file, 'utf8');
  const parser = parse({ bom: true, info: true });
  content.on('error', error => parser.destroy(error));
  try {
    for await (const row of importTable(content.pipe(parser), codes)) {
      const at = `${file}, line ${row.line}`;
      for (const { column, message } of row.problems) bad.push(`${at}: ${column}: ${message}`);
      if (row.request) requests.push(row.request);
      for (const { column, value, reason } of row.dropped) notes.push(`${at}, ${column}: “${value}” ${reason}.`);
      for (const { path, message } of row.assumed) assumptions.add(`Assumed: ${path} ${message}.`);
    }
  } catch (error) {
    if (error instanceof RangeError) throw new CliError(`${file} ${error.message}.`, 2);
    throw fileError(`Can't read ${file}`, error);
  }
  if (bad.length > 0) throw new CliError(bad.join('\n'), 2);
  return { requests, notes: [...notes, ...assumptions] };
}
