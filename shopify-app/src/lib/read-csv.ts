import type { CsvRecord } from '@compliance/core/entry';
import { CsvError, parse } from 'csv-parse/sync';

/** Maximum file size, in bytes. */
const MAX_BYTES = 2 * 1024 * 1024;

/** Reason that a file can't be read. */
export type CsvFault = 'empty' | 'too_large' | 'encoding' | 'not_csv';

/**
 * Parses an uploaded CSV file.
 *
 * @param bytes untrusted input: CSV or tab-separated values in UTF-8 or UTF-16, with a header
 * @example readCsv(new TextEncoder().encode('SKU\nA-1')) // { head: ['SKU'], lines: [{ record: ['A-1'], line: 2 }] }
 */
export function readCsv(bytes: Uint8Array): CsvFile | { readonly fault: CsvFault } {
  if (bytes.length > MAX_BYTES) return { fault: 'too_large' };
  const text = decode(bytes);
  if (text === null) return { fault: 'encoding' };
  const records = parseRecords(text);
  if (!records) return { fault: 'not_csv' };
  const [head, ...lines] = records;
  if (!head || lines.length === 0) return { fault: 'empty' };
  return { head: head.record, lines };
}

/**
 * Returns a file's records in the form that `importTable` reads, in which the number of lines before a record determines
 * the record's line.
 */
export async function* csvRecords({ head, lines }: CsvFile): AsyncGenerator<CsvRecord, void> {
  const records = [{ record: head, line: 1 }, ...lines];
  for (const [at, { record, line }] of records.entries())
    yield { record, info: { lines: (records[at + 1]?.line ?? line + 1) - 1 } };
}

/** Normalizes a column header to lowercase letters and digits. */
export const headerName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/**
 * Returns a cell without the apostrophe that escapes a formula. Exported files contain this apostrophe, and spreadsheet
 * apps don't remove it when saving the file.
 */
export const unescapeFormula = (cell: string): string => cell.trim().replace(/^'(?=[=+\-@\t\r])/, '');

/**
 * Decodes text in the encodings that spreadsheet apps use: UTF-8, and UTF-16 with a byte order mark. Returns null for
 * any other encoding, because other encodings can't be detected reliably.
 */
function decode(bytes: Uint8Array): string | null {
  const mark = `${bytes[0]},${bytes[1]}`;
  const encoding = mark === '255,254' ? 'utf-16le' : mark === '254,255' ? 'utf-16be' : 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

/** CSV file with a header. */
export interface CsvFile {
  readonly head: readonly string[];
  /** Rows with at least one nonempty cell. */
  readonly lines: readonly CsvLine[];
}

/** Row of a file, with the number of the line on which it starts. */
interface CsvLine {
  readonly record: readonly string[];
  readonly line: number;
}

/** Returns the records with at least one nonempty cell, or null if the text isn't CSV. */
function parseRecords(text: string): CsvLine[] | null {
  // The delimiter in a spreadsheet's CSV file depends on the locale.
  const head = text.slice(0, text.search(/[\r\n]|$/));
  const delimiter = [',', ';', '\t'].sort((a, b) => head.split(b).length - head.split(a).length)[0]!;
  const options = { delimiter, info: true, relax_column_count: true, trim: true, max_record_size: 100_000 } as const;
  try {
    const parsed = parse(text, options) as unknown as { record: string[]; info: { lines: number } }[];
    return parsed
      .map(({ record }, at) => ({ record, line: (parsed[at - 1]?.info.lines ?? 0) + 1 }))
      .filter(({ record }) => record.some(cell => cell !== ''));
  } catch (error) {
    if (error instanceof CsvError) return null;
    throw error;
  }
}
