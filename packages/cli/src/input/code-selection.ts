import { createReadStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { parseHtsCode } from '@compliance/core/tariff';
import { fileError } from '../cli-error.ts';
import { readColumn } from './codes.ts';

/**
 * Reads the codes specified with `--codes`, either as HTS codes or in a file. A file with the extension `.csv` must
 * have a header row. Any other source, including `-` for standard input, must have one code per line.
 *
 * @param column header of the CSV column that contains the codes (default: a common header for HTS codes)
 * @throws `CliError` if the file can't be read or doesn't have the specified column
 * @example await readCodeSelection(['7318.15.2061', '8708.29']) // ['7318.15.2061', '8708.29']
 */
export async function readCodeSelection(values: string[], column?: string): Promise<string[]> {
  const [file] = values;
  const isFile = values.length === 1 && (file === '-' || !parseHtsCode(file!).ok);
  if (!isFile) return values;
  if (file!.toLowerCase().endsWith('.csv')) return await readColumn(createReadStream(file!), file!, column);
  const lines = await text(file === '-' ? process.stdin : createReadStream(file!)).catch((error: Error) => {
    throw fileError(`Can't read the codes from ${file}`, error);
  });
  return lines.split(/\r?\n/).filter(line => line.trim() !== '');
}
