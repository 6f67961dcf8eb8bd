import { readFile } from 'node:fs/promises';
import { type CodeList, importRow, type RegistryRow } from '@compliance/core/entry';
import { parse } from 'csv-parse/sync';
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
 * @throws CliError if the file can't be read, if two columns have the same name, or if a row contains an invalid date
 */
export async function readRegistryRows(file: string, codes: CodeList): Promise<RegistryRequests> {
  const [header, ...rows] = parseLines(
    file,
    await readFile(file, 'utf8').catch(error => {
      throw fileError(`Can't read ${file}`, error);
    }),
  );
  if (header === undefined) throw new CliError(`${file} has no header row.`, 2);
  const columns = header.cells.map(cell => cell.trim());
  const repeated = columns.find((column, at) => columns.indexOf(column) !== at);
  if (repeated !== undefined) throw new CliError(`${file} has two columns named ${repeated || '(empty)'}.`, 2);
  const assumed = new Map<string, string>();
  const notes: string[] = [];
  const requests = rows.map(({ cells, line }) => {
    const row: RegistryRow = Object.fromEntries(columns.map((column, at) => [column, cells[at]]));
    try {
      const imported = importRow(row, codes);
      for (const { column, value, reason } of imported.dropped)
        notes.push(`${file}, line ${line}, ${column}: “${value}” ${reason}.`);
      for (const { path, message } of imported.assumed) assumed.set(path, message);
      return imported.request;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new CliError(`${file}, line ${line}: ${error.message}`, 2);
    }
  });
  return { requests, notes: [...notes, ...[...assumed].map(([path, message]) => `Assumed: ${path} ${message}.`)] };
}

/** Returns a CSV file's records, each with the line on which it starts. */
function parseLines(file: string, text: string): { cells: string[]; line: number }[] {
  let records: { record: string[]; info: { lines: number } }[];
  try {
    records = parse(text, { bom: true, info: true }) as unknown as typeof records;
  } catch (error) {
    throw new CliError(`${file} isn't a valid CSV file: ${(error as Error).message}`, 2);
  }
  return records.map(({ record }, at) => ({ cells: record, line: (records[at - 1]?.info.lines ?? 0) + 1 }));
}
