import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { Failure } from '../failure.ts';

/** Headers that a column of HTS codes usually has, in small letters and digits alone. */
const USUAL_COLUMNS = ['hts', 'htscode', 'htsno', 'htsus', 'hscode', 'harmonizedsystemcode', 'tariffcode', 'code'];

/** The codes of the arguments, of a column of a CSV file, or of standard input, one a line. */
export async function readCodes(
  given: string[],
  { csv, column }: { csv?: string; column?: string },
): Promise<string[]> {
  if (csv !== undefined) {
    if (given.length > 0) throw new Failure('Give codes or --csv, not both.', 2);
    return await readColumn(csv === '-' ? process.stdin : createReadStream(csv), csv, column);
  }
  if (column !== undefined) throw new Failure('--column needs --csv.', 2);
  if (given.length > 0 && given.join() !== '-') return given;
  if (process.stdin.isTTY)
    throw new Failure('Give HTS codes, a file by --csv, or codes on standard input, one a line.', 2);
  const codes: string[] = [];
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() !== '') codes.push(line);
  }
  return codes;
}

/**
 * The codes of a CSV file's column, a row each, as they stand there.
 *
 * @param name what messages call the file
 * @param wanted the header of the column; a usual one unless given
 * @throws Failure when the file cannot be read, is no CSV, is empty or has no such column
 * @example await readColumn(Readable.from(['hts\n7318.15\n']), 'codes.csv') // ['7318.15']
 */
export async function readColumn(source: Readable, name: string, wanted?: string): Promise<string[]> {
  // `pipe` does not pass a read error on, and the parser would wait for ever.
  const parser = source
    .on('error', error => parser.destroy(error))
    .pipe(parse({ bom: true, relax_column_count: true }));
  const codes: string[] = [];
  let index = -1;
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      if (index >= 0) codes.push(record[index] ?? '');
      else index = columnIndex(record, wanted);
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`${name} cannot be read as CSV: ${(error as Error).message}`);
  }
  if (index < 0) throw new Failure(`${name} is empty; a CSV file begins with a header line.`);
  return codes;
}

function columnIndex(header: string[], wanted: string | undefined): number {
  const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const names = wanted === undefined ? USUAL_COLUMNS : [plain(wanted)];
  const index = header.findIndex(name => names.includes(plain(name)));
  if (index >= 0) return index;
  const which = wanted === undefined ? 'Name the column of the codes by --column' : `There is no column ${wanted}`;
  throw new Failure(`${which}. The file has: ${header.join(', ')}`, 2);
}
